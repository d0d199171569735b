import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { declaredEntities } from '#libs/database';
import { declaredJobs } from '#libs/queue';

/** What a file declares that ends so is known to every process, whoever imports it: there is no list to keep. */
const DECLARES = /\.(entity|events|listener|queue)\.js$/;

const root = join(__dirname, '../..');
for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  if (DECLARES.test(file)) require(join(root, file));
}

/** The entity of every table that has one. */
export const ENTITIES = declaredEntities();

/** Every background job; a worker does not start while one of them has no handler, or two. */
export const JOBS = declaredJobs();
