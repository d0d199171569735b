import { getMetadataArgsStorage } from 'typeorm';

type Class = new (...parameters: never[]) => object;

/**
 * Every entity that the files which are loaded declare.
 * @throws Error when two are of one table
 */
export function declaredEntities(): Class[] {
  const byTable = new Map<string, Class>();
  for (const { name, target } of getMetadataArgsStorage().tables) {
    const entity = target as Class;
    const table = name ?? entity.name;
    if (byTable.has(table)) throw new Error(`The table "${table}" has two entities.`);
    byTable.set(table, entity);
  }
  return [...byTable.values()];
}
