import { AuditService } from '../../kernel/audit/audit.service';
import { withServices } from './context';

const KEEP_DAYS = 400;

export const pruneAudit = (): Promise<{ dropped: string[] }> =>
  withServices(async (cli) => ({ dropped: await cli.get(AuditService).prune(KEEP_DAYS) }));
