import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { citext } from '@electric-sql/pglite/contrib/citext';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { existsSync, fsyncSync, openAsBlob, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const EIO = 29; // WASI's number

interface FileStream {
  nfd?: number;
}

/** PGlite's file system for Node drops fsync; with it, a committed row also survives a power failure. */
const durableFiles: NonNullable<PGliteOptions['extensions']>[string] = {
  name: 'durable_files',
  setup: (_database, emscriptenOpts) => {
    emscriptenOpts.preRun.push((module: { FS: { filesystems: { NODEFS: { stream_ops: object } } } }) => {
      Object.assign(module.FS.filesystems.NODEFS.stream_ops, {
        fsync({ nfd }: FileStream): number {
          try {
            if (nfd !== undefined) fsyncSync(nfd);
            return 0;
          } catch {
            return EIO;
          }
        },
      });
    });
    return Promise.resolve({ emscriptenOpts });
  },
};

const EXTENSIONS = { vector, pg_trgm, unaccent, citext, btree_gin };

/**
 * `ALTER DATABASE … SET` has no effect in PGlite's single-user mode; start parameters also survive RESET ALL.
 * `community.reach` tells those who were given the address of this server that it is an embedded one.
 */
function startParams(persistent: boolean): string[] {
  const defaults = PGlite.defaultStartParams
    .filter((parameter) => !persistent || parameter !== '-F')
    .map((parameter) => (parameter.startsWith('search_path=') ? 'search_path=public, bullmq' : parameter));
  // Emscripten's fdatasync does nothing at all, its fsync calls the file system.
  const settings = ['-c', 'timezone=UTC', '-c', 'community.reach=embedded'];
  return [...defaults, ...settings, ...(persistent ? ['-c', 'wal_sync_method=fsync'] : [])];
}

function onStderr(text: string): boolean {
  if (/FATAL|PANIC/.test(text)) process.stderr.write(`embedded postgres: ${text}\n`);
  return true;
}

export async function openTemporaryDatabase(template: string | null): Promise<PGlite> {
  return PGlite.create({
    dataDir: 'memory://',
    extensions: EXTENSIONS,
    startParams: startParams(false),
    onStderr,
    ...(template ? { loadDataDir: await openAsBlob(template) } : {}),
  });
}

export async function openPersistentDatabase(dataDir: string): Promise<PGlite> {
  const target = join(dataDir, 'postgres');
  // A first start that is killed half way must not leave a half-filled directory under the final name.
  if (!existsSync(join(target, 'PG_VERSION'))) {
    const draft = join(dataDir, 'postgres.new');
    rmSync(draft, { recursive: true, force: true });
    const created = await PGlite.create({ dataDir: draft, onStderr });
    await created.close();
    renameSync(draft, target);
  }
  return PGlite.create({
    dataDir: target,
    extensions: { ...EXTENSIONS, durableFiles },
    startParams: startParams(true),
    onStderr,
  });
}
