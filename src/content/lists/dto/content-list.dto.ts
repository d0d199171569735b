import { PageDto } from '#libs/http';
import { ContentCardDto } from '../../dto/content.dto';

/** What the viewer may do with an item. */
export class ContentAccessDto {
  /**
   * Whether all of it is theirs to read.
   * @example true
   */
  canRead!: boolean;

  /**
   * Whether they see its teaser only.
   * @example false
   */
  locked!: boolean;
}

export class ListedContentDto extends ContentCardDto {
  access!: ContentAccessDto;
}

export class ContentPageDto extends PageDto(ListedContentDto) {}

export class RelatedContentsDto {
  items!: ContentCardDto[];
}
