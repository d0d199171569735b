import { Column, type ColumnOptions } from 'typeorm';

/** A point in time, to the millisecond: what JavaScript's Date holds. */
export const InstantColumn = (options: Pick<ColumnOptions, 'nullable'> = {}): PropertyDecorator =>
  Column({ type: 'timestamptz', precision: 3, ...options });
