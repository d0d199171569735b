import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import {
  Clamped,
  type Filters,
  IsFilters,
  IsIdText,
  IsIntText,
  IsOmittable,
  IsSearchTerm,
  IsSort,
  MAX_ID,
  PageQuery,
} from '#libs/http';
import { AD_STATUSES, type Placement, PLACEMENTS } from '../ad-terms';

const AD_FILTERS = { placement: PLACEMENTS, status: AD_STATUSES, UserId: 'id' } as const;

export class ListAdsQuery {
  /**
   * Without it the token's platform.
   * @example 1
   */
  @IsOmittable()
  @IsIdText()
  PlatformId?: number;

  @IsOmittable()
  @IsIn(PLACEMENTS)
  @ApiProperty({ enum: PLACEMENTS, required: false, example: 'home', description: 'Without it every place.' })
  placement?: Placement;

  /**
   * Only those that run on this collection.
   * @example 7
   */
  @IsOmittable()
  @IsIdText()
  CollectionId?: number;

  /**
   * At most 100.
   * @example 5
   */
  @IsOmittable()
  @IsIntText(1, MAX_ID)
  @Clamped(100)
  limit: number = 5;
}

export class AdminAdsQuery extends PageQuery {
  /**
   * Words or parts of words in the title.
   * @example "storage"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "placement:home,status:active" */
  @IsOmittable()
  @IsFilters(AD_FILTERS)
  filters?: Filters<typeof AD_FILTERS>;

  /** @example "priority:desc" */
  @IsOmittable()
  @IsSort('priority', 'createdAt', 'title', 'startDate', 'impressions', 'clicks')
  sort: string = 'priority:desc';
}
