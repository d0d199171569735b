import { Entity } from 'typeorm';
import { declaredEntities } from './declared-entities';

describe('entities', () => {
  it('are known by being declared, and one table has one of them', () => {
    @Entity('things')
    class Thing {}
    expect(declaredEntities()).toEqual([Thing]);

    @Entity('things')
    class ThingToo {}
    expect(declaredEntities).toThrow(`The table "things" has two entities.`);
    expect(ThingToo).not.toBe(Thing);
  });
});
