import type { AffectedGatesDto } from './dto/deleted-entry.dto';

/** What listeners answer of the records that had a deleted group or access tag among their entries. */
export type AffectedGates = Partial<AffectedGatesDto>;

/** All that they answered together. */
export const allAffected = (answers: readonly AffectedGates[]): AffectedGatesDto =>
  Object.assign({ contents: 0, collections: 0, courses: 0 }, ...answers) as AffectedGatesDto;
