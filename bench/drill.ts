/** `npm run drill -- <name>`: one of bench/drills, with servers of its own; exits with 1 when a promise is broken. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Drill, Stage } from './drills/support/stage';

const DIRECTORY = join(__dirname, 'drills');
const NAMES = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -'.js'.length));

async function main(): Promise<number> {
  const [name = ''] = process.argv.slice(2);
  if (!NAMES.includes(name)) {
    console.error(`Which drill? ${NAMES.join(', ')}`);
    return 78;
  }
  const { drill } = (await import(join(DIRECTORY, `${name}.js`))) as { drill: Drill };
  return Stage.run(drill);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
