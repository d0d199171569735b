import { Injectable } from '@nestjs/common';
import { sameSecret } from '#libs/crypto';
import { Database } from '#libs/database';
import { ForbiddenError, NotFoundError, ValidationError } from '#libs/errors';
import type { AddedOrEdited } from '#libs/http';
import { instant } from '#libs/time';
import { AuditService } from '../kernel/audit/audit.service';
import { changedFields } from '../kernel/audit/changed-fields';
import { type Caller, isAdmin, type Viewer, viewerOn } from '../kernel/callers/caller';
import type { Tier } from '../kernel/callers/roles';
import type { PlatformDto, PlatformSummaryDto, PublicPlatformDto } from './dto/platform.dto';
import type { SaveOwnPlatformDto, SavePlatformDto } from './dto/save-platform.dto';
import type { SaveSettingsDto } from './dto/save-settings.dto';
import type { SettingsDto } from './dto/settings.dto';
import { homepageLink } from '../kernel/origins/homepage';
import { DEFAULT_SETTINGS, type PlatformSettings } from './platform-settings';
import type { Platform } from './platform.entity';
import {
  presentOwnPlatform,
  presentPlatform,
  presentPublicPlatform,
  presentSettings,
} from './platform.presenter';
import { type NewPlatform, PlatformsRepository } from './platforms.repository';

@Injectable()
export class PlatformsService {
  constructor(
    private readonly db: Database,
    private readonly platforms: PlatformsRepository,
    private readonly audit: AuditService,
  ) {}

  async read(id: number): Promise<PublicPlatformDto> {
    return presentPublicPlatform(await this.get(id), await this.settings(id));
  }

  async readBySlug(slug: string): Promise<PublicPlatformDto> {
    const id = await this.platforms.idBySlug(slug);
    if (id === null) throw new NotFoundError();
    return this.read(id);
  }

  /** Its admins see the platform's tokens too. */
  async readByHomepage(viewer: Viewer, address: string): Promise<PlatformDto> {
    const platform = await this.platforms.findByHomepage(address);
    if (!platform) throw new ValidationError([], 'No platform has this homepage.');
    return isAdmin(viewerOn(platform.id, viewer)) ? presentOwnPlatform(platform) : presentPlatform(platform);
  }

  async save(caller: Caller, { id, ...dto }: SaveOwnPlatformDto): Promise<AddedOrEdited<PlatformDto>> {
    requireOwn(caller, id ?? caller.platformId);
    return this.db.transaction(async () => {
      const fields = changedFields(await this.get(caller.platformId), dto);
      await this.platforms.update(caller.platformId, dto);
      await this.record(caller, 'platform.edit', fields);
      return [presentOwnPlatform(await this.get(caller.platformId)), false];
    });
  }

  async readSettings(caller: Caller, platformId: number): Promise<SettingsDto> {
    requireOwn(caller, platformId);
    return presentSettings(await this.settings(platformId));
  }

  async saveSettings(caller: Caller, platformId: number, dto: SaveSettingsDto): Promise<SettingsDto> {
    requireOwn(caller, platformId);
    await this.db.transaction(async () => {
      const fields = changedFields(await this.settings(platformId), dto);
      await this.platforms.mergeSettings(platformId, dto);
      await this.record(caller, 'platform.settings', fields);
    });
    return this.readSettings(caller, platformId);
  }

  /** The tier that a code of the platform stands for, compared in constant time; null when it is none. */
  async tierOfCode(platformId: number, code: string): Promise<Tier | null> {
    const { premiumToken, basicToken } = await this.get(platformId);
    const premium = sameSecret(code, premiumToken ?? '') && premiumToken !== null;
    const basic = sameSecret(code, basicToken ?? '') && basicToken !== null;
    return premium ? 'premium' : basic ? 'basic' : null;
  }

  /** The platform as other records embed it, or null when there is none. */
  async embedded(id: number): Promise<PlatformDto | null> {
    const platform = await this.platforms.find(id);
    return platform && presentPlatform(platform);
  }

  async summary(id: number): Promise<PlatformSummaryDto> {
    const { name, slug } = await this.get(id);
    return { id, name, slug };
  }

  async exists(id: number): Promise<boolean> {
    return (await this.platforms.find(id)) !== null;
  }

  /** What mails say: the platform's name, and the address of its homepage, when it has one of its own. */
  async homepage(id: number): Promise<{ name: string; url: string | null }> {
    const { name, homepageUrl, homepageKey } = await this.get(id);
    return { name, url: homepageKey && homepageLink(homepageUrl) };
  }

  async settings(id: number): Promise<PlatformSettings> {
    return { ...DEFAULT_SETTINGS, ...(await this.platforms.settings(id)) };
  }

  /** The IANA zone in which times without an offset are read. */
  async timezone(id: number): Promise<string> {
    return (await this.get(id)).timezone;
  }

  /** The instant that a client sent in `field`, in the platform's zone when it names none; null and absent stay. */
  async instant(
    id: number,
    text: string | null | undefined,
    field: string,
  ): Promise<Date | null | undefined> {
    return text == null ? text : instant(text, await this.timezone(id), field);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.platforms.all()).length === 0;
  }

  create(platform: NewPlatform): Promise<number> {
    return this.platforms.insert(platform);
  }

  /** Changes fields and settings on behalf of the operator. */
  async change(id: number, fields: SavePlatformDto, settings: SaveSettingsDto): Promise<void> {
    await this.db.transaction(async () => {
      const names = [
        ...changedFields(await this.get(id), fields),
        ...changedFields(await this.settings(id), settings),
      ];
      await this.platforms.update(id, fields);
      await this.platforms.mergeSettings(id, settings);
      await this.record(null, 'platform.edit', names, id);
    });
  }

  async all(): Promise<PlatformDto[]> {
    return (await this.platforms.all()).map(presentPlatform);
  }

  private async get(id: number): Promise<Platform> {
    const platform = await this.platforms.find(id);
    if (!platform) throw new NotFoundError();
    return platform;
  }

  /** What changed nothing leaves no row. */
  private async record(
    caller: Caller | null,
    action: string,
    fields: string[],
    id = caller?.platformId ?? 0,
  ): Promise<void> {
    if (fields.length === 0) return;
    const target = { type: 'platform', id };
    await this.audit.record({ platformId: id, actorId: caller?.userId ?? null, action, target, fields });
  }
}

function requireOwn(caller: Caller, platformId: number): void {
  if (caller.platformId !== platformId) throw new ForbiddenError('This is not your platform.');
}
