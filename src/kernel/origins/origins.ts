import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { Together } from '#libs/deadline';
import { homepageOrigin } from './homepage';
import { OriginsRepository } from './origins.repository';

const FRESH_MS = 5000;
const READ_MS = 3000;

/** From which web origins browsers may call with a viewer's credentials. */
@Injectable()
export class Origins {
  private readonly known = new Map<number | null, { origins: Set<string>; readAt: number }>();
  private readonly readings = new Together<number | null, Set<string>>(READ_MS);

  constructor(
    private readonly origins: OriginsRepository,
    private readonly settings: Settings,
  ) {}

  /** @param platformId null asks for the origins of every platform */
  async isAllowed(origin: string, platformId: number | null = null): Promise<boolean> {
    if (origin === new URL(this.settings.PUBLIC_URL).origin) return true;
    if (this.settings.CORS_ORIGINS.includes(origin)) return true;
    return (await this.of(platformId)).has(origin);
  }

  private async of(platformId: number | null): Promise<Set<string>> {
    const known = this.known.get(platformId);
    if (known && Date.now() - known.readAt < FRESH_MS) return known.origins;
    return this.readings.run(platformId, () => this.read(platformId));
  }

  private async read(platformId: number | null): Promise<Set<string>> {
    const rows = await this.origins.of(platformId);
    const origins = new Set(
      rows.flatMap(({ homepageUrl, allowedOrigins }) => [
        homepageOrigin(homepageUrl),
        ...(allowedOrigins ?? []),
      ]),
    );
    origins.delete(null);
    const read = { origins: origins as Set<string>, readAt: Date.now() };
    this.known.set(platformId, read);
    return read.origins;
  }
}
