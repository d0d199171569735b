/** A record in short: its id and name. */
export class NamedDto {
  /** @example 1 */
  id!: number;

  /** @example "Skippers" */
  name!: string;
}

/** A record in short: its id and title. */
export class TitledDto {
  /** @example 3 */
  id!: number;

  /** @example "Founding member" */
  title!: string;
}
