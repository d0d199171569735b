import type { MigrationInterface, QueryRunner } from 'typeorm';
import { homepageKey } from '../../kernel/origins/homepage';

interface Platform {
  id: number;
  homepageUrl: string;
}

/**
 * All spellings of a homepage get one key. Where several platforms have the same one in different spellings, the
 * oldest platform keeps it; the others keep their text, but are not found by it until they save one of their own.
 */
export class Homepages1763831000000 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return setKeys(runner, homepageKey);
  }

  down(runner: QueryRunner): Promise<void> {
    return setKeys(runner, textKey);
  }
}

async function setKeys(runner: QueryRunner, keyOf: (homepage: string) => string | null): Promise<void> {
  const rows = (await runner.query(
    `select id, "homepageUrl" from platforms where "homepageUrl" is not null order by id`,
  )) as Platform[];
  const owners = new Map<string, number>();
  for (const { id, homepageUrl } of rows) {
    const key = keyOf(homepageUrl);
    if (key !== null && !owners.has(key)) owners.set(key, id);
  }
  await runner.query(`update platforms set "homepageKey" = null`);
  await runner.query(
    `update platforms set "homepageKey" = k.key from unnest($1::text[], $2::int[]) k (key, id)
      where platforms.id = k.id`,
    [[...owners.keys()], [...owners.values()]],
  );
}

/** As it was before: by the text alone. */
function textKey(address: string): string {
  const [, host = '', rest = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)(.*)$/is.exec(address.trim()) ?? [];
  const key = `${host.toLowerCase()}${rest}`;
  let end = key.length;
  while (key[end - 1] === '/') end--;
  return key.slice(0, end);
}
