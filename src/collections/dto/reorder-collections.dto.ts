import { ArrayMinSize, ArrayUnique } from 'class-validator';
import { IsIds } from '#libs/http';

export class ReorderCollectionsDto {
  /**
   * The new order. Collections that are left out keep their places.
   * @example [2, 1]
   */
  @IsIds()
  @ArrayMinSize(1)
  @ArrayUnique()
  collectionIds!: number[];
}
