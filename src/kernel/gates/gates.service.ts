import { Injectable } from '@nestjs/common';

/** The group or access tag that is about to be deleted. */
export interface GateEntry {
  groupId: number | null;
  accessTagId: number | null;
}

export const GATED_KINDS = ['contents', 'collections', 'courses'] as const;
export type GatedKind = (typeof GATED_KINDS)[number];

/** How many records of each kind carried the entry. */
export type AffectedGates = Record<GatedKind, number>;

/** Whose records are gated by groups and access tags. */
export interface GateHolder {
  /**
   * Closes the gates that lose their last entry, so that nothing opens by accident.
   * @returns how many records carry the entry
   */
  closeGates(entry: GateEntry): Promise<number>;
}

/**
 * Where those who delete a group or access tag meet those whose records it gates. Content and collections know
 * of groups, so groups cannot know of them: they announce themselves here instead.
 */
@Injectable()
export class Gates {
  private readonly holders = new Map<GatedKind, GateHolder>();

  register(kind: GatedKind, holder: GateHolder): void {
    this.holders.set(kind, holder);
  }

  /** To be called in the transaction that deletes the entry, before it does. */
  async close(entry: GateEntry): Promise<AffectedGates> {
    const affected: AffectedGates = { contents: 0, collections: 0, courses: 0 };
    for (const [kind, holder] of this.holders) affected[kind] = await holder.closeGates(entry);
    return affected;
  }
}
