import { globSync, readFileSync } from 'node:fs';
import { ENTITIES, JOBS } from '../../src/operations/process/declarations';
import { seenByAnyone } from '../../src/kernel/kept-reads/seen-by-anyone';
import { StampCheck } from '../../src/kernel/kept-reads/stamp-check';
import { StampsRepository } from '../../src/kernel/kept-reads/stamps.repository';
import { TestApp } from '../support/test-app';

/** Instants of tables that anyone sees which decide nothing of what is shown. */
const NO_MATTER = /^(createdAt|updatedAt|editedAt|deletedAt|lastActivityAt|bannedAt|bannedUntil)$/;

let test: TestApp;
beforeAll(async () => {
  test = await TestApp.start();
});
afterAll(() => test.stop());

const sources = (): string =>
  globSync('src/**/*.ts')
    .filter((file) => !file.endsWith('spec.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

describe('what is declared', () => {
  it('is known: every entity and every job in the sources', () => {
    const code = sources();
    const declared = (pattern: RegExp): Set<string | undefined> =>
      new Set([...code.matchAll(pattern)].map(([, name]) => name));
    expect(new Set(ENTITIES.map(({ name }) => name))).toEqual(
      declared(/^@Entity\([^]*?^export class (\w+)/gm),
    );
    const jobs = declared(/^export const \w+ = define(?:Job|Listener)\b[^']*'([^']+)'/gm);
    expect([...jobs]).toContain('auth.send-change-email');
    expect(new Set(JOBS.map(({ name }) => name))).toEqual(jobs);
  });
});

describe('tables that anyone sees', () => {
  const check = (): Promise<void> => new StampCheck(test.get(StampsRepository)).onModuleInit();

  it('are said to be shown between all of their dates', async () => {
    for (const [entity, { from, until }] of seenByAnyone()) {
      const { tableName, columns } = test.db.dataSource.getMetadata(entity);
      const dates = columns
        .filter(({ type, propertyName }) => type === 'timestamptz' && !NO_MATTER.test(propertyName))
        .map(({ propertyName }) => propertyName);
      expect([tableName, new Set(dates)]).toEqual([tableName, new Set([from, until].filter(Boolean))]);
    }
  });

  it('stop the start without a trigger, with two, and with one that nobody declared', async () => {
    await expect(check()).resolves.toBeUndefined();
    const trigger = (name: string, table: string): string =>
      `create trigger "${name}" after insert on ${table} for each row execute function stamp_platform()`;
    const { dataSource } = test.db;
    await dataSource.query(trigger('second', 'ads'));
    await expect(check()).rejects.toThrow('"ads", seen by anyone, has 2 stamp triggers');
    await dataSource.query(`drop trigger second on ads`);
    await dataSource.query(trigger('undeclared', 'reactions'));
    await expect(check()).rejects.toThrow('"reactions" has a stamp trigger and is not declared');
    await dataSource.query(`drop trigger undeclared on reactions`);
    await dataSource.query(`drop trigger "keywords_stamp" on keywords`);
    await expect(check()).rejects.toThrow('"keywords", seen by anyone, has 0 stamp triggers');
  });
});
