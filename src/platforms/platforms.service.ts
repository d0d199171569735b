import { Injectable } from '@nestjs/common';
import { NotFoundError } from '#libs/errors';
import type { PlatformDto, PlatformSummaryDto, PublicPlatformDto } from './dto/platform.dto';
import type { SavePlatformDto } from './dto/save-platform.dto';
import type { SaveSettingsDto } from './dto/save-settings.dto';
import { DEFAULT_SETTINGS, type PlatformSettings } from './platform-settings';
import { presentPlatform, presentPublicPlatform } from './platform.presenter';
import { type NewPlatform, PlatformsRepository } from './platforms.repository';

@Injectable()
export class PlatformsService {
  constructor(private readonly platforms: PlatformsRepository) {}

  async read(id: number): Promise<PublicPlatformDto> {
    const platform = await this.platforms.find(id);
    if (!platform) throw new NotFoundError();
    return presentPublicPlatform(platform);
  }

  /** The platform as other records embed it, or null when there is none. */
  async embedded(id: number): Promise<PlatformDto | null> {
    const platform = await this.platforms.find(id);
    return platform && presentPlatform(platform);
  }

  async summary(id: number): Promise<PlatformSummaryDto> {
    const { name, slug } = await this.read(id);
    return { id, name, slug };
  }

  async settings(id: number): Promise<PlatformSettings> {
    return { ...DEFAULT_SETTINGS, ...(await this.platforms.settings(id)) };
  }

  /** The IANA zone in which times without an offset are read. */
  async timezone(id: number): Promise<string> {
    return (await this.read(id)).timezone;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.platforms.all()).length === 0;
  }

  create(platform: NewPlatform): Promise<number> {
    return this.platforms.insert(platform);
  }

  /** Changes fields and settings on behalf of the operator or of an admin who was asked already. */
  async change(id: number, fields: SavePlatformDto, settings: SaveSettingsDto = {}): Promise<void> {
    await this.platforms.update(id, fields);
    await this.platforms.mergeSettings(id, settings);
  }

  async all(): Promise<PlatformDto[]> {
    return (await this.platforms.all()).map(presentPlatform);
  }
}
