import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Access, type Page } from '#libs/http';
import { type Caller, CurrentCaller } from '../callers/caller';
import { AuditService } from './audit.service';
import { type AuditEntryDto, AuditPageDto } from './dto/audit.dto';
import { ListAuditQuery } from './dto/list-audit.query';

@Controller('api/admin/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  /**
   * List what happened on the platform
   * @remarks Newest first: sign-ins and tokens, all that is decided about people and their rights (users added and
   * edited, roles, bans, memberships of groups, access tags), deletions, changed settings and groups, pinned and
   * locked posts. Rows are never changed, and hold no e-mail, name or secret.
   */
  @Get()
  @Access.role('admin')
  @ApiOkResponse({ type: AuditPageDto })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditQuery): Promise<Page<AuditEntryDto>> {
    return this.audit.page(caller, query);
  }
}
