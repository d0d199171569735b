/** How often an emoji was placed, as what it is placed on counts it. */
export interface ReactionCount {
  emoji: string;
  count: number;
}
