import { ValidationError } from '#libs/errors';
import { Database } from '#libs/database';
import { validated } from '#libs/http';
import { SavePlatformDto } from '../../platforms/dto/save-platform.dto';
import { SaveSettingsDto } from '../../platforms/dto/save-settings.dto';
import { DEFAULT_SETTINGS } from '../../platforms/platform-settings';
import { PlatformsService } from '../../platforms/platforms.service';
import { withServices } from './context';
import { idOf } from './id';
import { addUser } from './users';

interface NewPlatformOptions {
  name: string;
  slug: string;
  adminEmail: string;
  adminPassword: string;
  homepageUrl?: string;
  timezone: string;
}

export const createPlatform = (
  options: NewPlatformOptions,
): Promise<{ platformId: number; adminId: number }> =>
  withServices(async (cli) => {
    const { name, slug, homepageUrl, timezone, adminEmail: email, adminPassword: password } = options;
    const fields = await validated(SavePlatformDto, { name, slug, homepageUrl, timezone });
    return cli.get(Database).transaction(async () => {
      const platformId = await cli.get(PlatformsService).create({ ...fields, name, slug });
      const role = 'admin';
      const { id } = await addUser(cli, {
        PlatformId: platformId,
        email,
        name: email.split('@')[0],
        role,
        password,
      });
      return { platformId, adminId: id };
    });
  });

export const listPlatforms = (): Promise<object[]> =>
  withServices(async (cli) =>
    (await cli.get(PlatformsService).all()).map(({ id, name, slug, homepageUrl, timezone }) => ({
      id,
      name,
      slug,
      homepageUrl,
      timezone,
    })),
  );

/** @param json fields of the platform and settings, mixed */
export const setPlatform = (id: string, json: string): Promise<object> =>
  withServices(async (cli) => {
    const platformId = idOf(id, 'id');
    const given = Object.entries(parsed(json));
    const isSetting = ([key]: [string, unknown]): boolean => key in DEFAULT_SETTINGS;
    const settings = await validated(SaveSettingsDto, Object.fromEntries(given.filter(isSetting)));
    const fields = await validated(
      SavePlatformDto,
      Object.fromEntries(given.filter((entry) => !isSetting(entry))),
    );
    const platforms = cli.get(PlatformsService);
    await platforms.read(platformId);
    await platforms.change(platformId, fields, settings);
    return { ...(await platforms.read(platformId)), settings: await platforms.settings(platformId) };
  });

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below, in the same words as for other JSON.
  }
  throw ValidationError.of('json', 'must be a JSON object');
}
