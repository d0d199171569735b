import { reordered } from './reordered';

describe('reordered', () => {
  it.each([
    ['all of them', [1, 2, 3], [3, 1, 2], [3, 1, 2]],
    ['some, where the earliest of them stood', [1, 2, 3, 4, 5], [5, 3], [1, 2, 5, 3, 4]],
    ['one alone, which stays', [1, 2, 3], [2], [1, 2, 3]],
    ['the first and the last', [1, 2, 3], [3, 1], [3, 1, 2]],
  ])('places %s', (_, current, listed, expected) => {
    expect(reordered(current, listed)).toEqual(expected);
  });
});
