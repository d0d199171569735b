/** @param part 0.99 for the value that 99 of 100 do not exceed */
export const percentile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
