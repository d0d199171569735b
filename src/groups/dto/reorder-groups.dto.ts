import { ArrayMinSize } from 'class-validator';
import { IsIds } from '#libs/http';

export class ReorderGroupsDto {
  /**
   * The new order. Groups that are left out keep their places.
   * @example [2, 1]
   */
  @IsIds({ unique: true })
  @ArrayMinSize(1)
  groupIds!: number[];
}
