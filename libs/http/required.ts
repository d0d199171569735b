import { ValidationError } from '#libs/errors';

type Present<Dto, Field extends keyof Dto> = Dto & { [Key in Field]-?: NonNullable<Dto[Key]> };

/**
 * Fields that may be left out when a record is edited, but not when it is created.
 * @throws ValidationError naming each one that is missing
 */
export function required<Dto extends object, Field extends keyof Dto & string>(
  dto: Dto,
  ...fields: Field[]
): Present<Dto, Field> {
  const missing = fields.filter((field) => dto[field] == null);
  if (missing.length > 0) {
    throw new ValidationError(missing.map((field) => ({ field, issue: `${field} is required` })));
  }
  return dto as Present<Dto, Field>;
}
