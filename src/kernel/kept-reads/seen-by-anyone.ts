export interface SeenTables {
  /** The column that tells from when on a row is shown. */
  from?: string;
  /** The column that tells until when. */
  until?: string;
  /** Tables that link its rows with others. */
  links?: readonly string[];
}

type Class = new (...parameters: never[]) => object;

const seen = new Map<Class, SeenTables>();

/**
 * Declares, on an entity, that anonymous readers see something of its table: what they are answered is kept until
 * its stamp trigger tells of a change (ADR 0010), or the next of its dates comes.
 */
export const SeenByAnyone =
  (tables: SeenTables = {}) =>
  (entity: Class): void => {
    seen.set(entity, tables);
  };

export const seenByAnyone = (): ReadonlyMap<Class, SeenTables> => seen;
