/** `listed` stand in their order where the earliest of them stood in `current`; the others keep theirs. */
export function reordered(current: readonly number[], listed: readonly number[]): number[] {
  const moved = new Set(listed);
  const first = current.findIndex((id) => moved.has(id));
  const before = current.slice(0, first);
  const after = current.slice(first).filter((id) => !moved.has(id));
  return [...before, ...listed, ...after];
}
