import { IsText } from '#libs/http';

/** That an ad was seen, or clicked. */
export class CountAdDto {
  /**
   * As the list of ads gave it out.
   * @example "1767225600000.R3k9x1QmZpL0aBcD.4Jm1pQ2vTq8w0aXbYcZdEeFfGgHhIiJjKkLlMmNnOoP"
   */
  @IsText(200)
  impressionToken!: string;
}
