import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Clamped, IsIntText, MAX_ID } from './fields';

const MAX_ITEMS = 100;

/** The page that a list request asks for. */
export class PageQuery {
  /**
   * Items on a page; more than 100 is answered as 100.
   * @example 25
   */
  @IsIntText(1, MAX_ID)
  @Clamped(MAX_ITEMS)
  itemsPerPage: number = 25;

  /**
   * Which page, from 1. A page past the end is empty.
   * @example 1
   */
  @IsIntText(1, MAX_ID)
  currentPage: number = 1;
}

export interface Page<Item> {
  items: Item[];
  totalItems: number;
  currentPage: number;
  itemsPerPage: number;
  totalPages: number;
}

/** How many items come before the page. */
export const offsetOf = ({ itemsPerPage, currentPage }: PageQuery): number =>
  (currentPage - 1) * itemsPerPage;

export const pageOf = <Item>(
  items: Item[],
  totalItems: number,
  { itemsPerPage, currentPage }: PageQuery,
): Page<Item> => ({
  items,
  totalItems,
  currentPage,
  itemsPerPage,
  totalPages: Math.ceil(totalItems / itemsPerPage),
});

/** The DTO class of a page of `item`s, for the OpenAPI document. */
export function PageDto<Item>(item: Type<Item>): Type<Page<Item>> {
  class PageOf implements Page<Item> {
    @ApiProperty({ type: [item] })
    items!: Item[];

    @ApiProperty({ type: 'integer', example: 1, description: 'All items, on every page together.' })
    totalItems!: number;

    @ApiProperty({ type: 'integer', example: 1 })
    currentPage!: number;

    @ApiProperty({ type: 'integer', example: 25 })
    itemsPerPage!: number;

    @ApiProperty({ type: 'integer', example: 1, description: '0 when there are no items.' })
    totalPages!: number;
  }
  return PageOf;
}
