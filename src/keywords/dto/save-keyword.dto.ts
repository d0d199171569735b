import { IsClearable, IsId, IsOmittable, IsText, IsTitle } from '#libs/http';

/** A keyword to add, or to edit when `id` is present. */
export class SaveKeywordDto {
  /**
   * Present: update. Absent: create.
   * @example 5
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * Required on create; equal titles, ignoring case and accents, are one keyword.
   * @example "Navigation"
   */
  @IsOmittable()
  @IsTitle(1, 100)
  title?: string;

  /** @example "Charts, tides and stars." */
  @IsClearable()
  @IsText(2000)
  description?: string | null;
}
