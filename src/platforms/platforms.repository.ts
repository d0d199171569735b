import { Injectable } from '@nestjs/common';
import { Database, sql } from '#libs/database';
import { homepageKey } from '../kernel/origins/homepage';
import type { PlatformSettings } from './platform-settings';
import { Platform } from './platform.entity';

export type NewPlatform = Partial<Platform> & Pick<Platform, 'name' | 'slug'>;

@Injectable()
export class PlatformsRepository {
  constructor(private readonly db: Database) {}

  async find(id: number): Promise<Platform | null> {
    return this.db.manager.findOneBy(Platform, { id });
  }

  async idBySlug(slug: string): Promise<number | null> {
    const row = await this.db.row<{ id: number }>(sql`select id from platforms where slug = ${slug}`);
    return row?.id ?? null;
  }

  async findByHomepage(address: string): Promise<Platform | null> {
    const key = homepageKey(address);
    return key === null ? null : this.db.manager.findOneBy(Platform, { homepageKey: key });
  }

  async all(): Promise<Platform[]> {
    return this.db.manager.find(Platform, { order: { id: 'ASC' } });
  }

  async insert(platform: NewPlatform): Promise<number> {
    const { identifiers } = await this.db.manager.insert(Platform, withKey(platform));
    return (identifiers[0] as { id: number }).id;
  }

  async update(id: number, changes: Partial<Platform>): Promise<void> {
    await this.db.manager.update(Platform, { id }, { ...withKey(changes), updatedAt: () => 'now()' });
  }

  async mergeSettings(id: number, settings: Partial<PlatformSettings>): Promise<void> {
    await this.db.execute(sql`
      update platforms set settings = settings || ${JSON.stringify(settings)}::jsonb, "updatedAt" = now()
       where id = ${id}`);
  }

  async settings(id: number): Promise<Partial<PlatformSettings>> {
    const row = await this.db.row<Pick<Platform, 'settings'>>(
      sql`select settings from platforms where id = ${id}`,
    );
    return row?.settings ?? {};
  }
}

const withKey = <Values extends Partial<Platform>>(values: Values): Values =>
  values.homepageUrl === undefined
    ? values
    : { ...values, homepageKey: values.homepageUrl && homepageKey(values.homepageUrl) };
