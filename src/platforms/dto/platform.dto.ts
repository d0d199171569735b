/** A platform: the tenant that owns users and content. */
export class PlatformDto {
  /** @example 1 */
  id!: number;

  /** @example "Harbour Sailing Club" */
  name!: string;

  /** @example "harbour" */
  slug!: string;

  /** @example "People who sail, and those who want to." */
  description!: string | null;

  /**
   * Label of the upgrade button.
   * @example "Become a premium member"
   */
  upgradeBtn!: string | null;

  /** @example "https://example.org/hero.jpg" */
  heroImage!: string | null;

  /** @example "https://example.org/favicon.png" */
  favIconImage!: string | null;

  /** @example "#0b3d5c" */
  heroBGColor!: string | null;

  /** @example "#ffffff" */
  heroTextColor!: string | null;

  /** @example "#0b3d5c" */
  primaryColor!: string | null;

  /** @example "#f2b134" */
  secondaryColor!: string | null;

  /** @example "#111111" */
  darkColor!: string | null;

  /** @example "#fafafa" */
  lightColor!: string | null;

  /** @example false */
  heroImgOnly!: boolean;

  /**
   * Site id of the analytics provider.
   * @example null
   */
  fathomAnalytics!: string | null;

  /** @example "https://harbour.example.org" */
  homepageUrl!: string | null;

  /** @example "https://harbour.example.org/upgrade" */
  upgradeUrl!: string | null;

  /** @example "https://example.org/logo.svg" */
  logo!: string | null;

  /**
   * Shown to admins of the platform only.
   * @example null
   */
  premiumToken!: string | null;

  /**
   * Shown to admins of the platform only.
   * @example null
   */
  basicToken!: string | null;

  /** @example false */
  hideSignin!: boolean | null;

  /**
   * IANA zone in which times without an offset are read.
   * @example "Europe/Lisbon"
   */
  timezone!: string;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-05T09:30:00.000Z" */
  updatedAt!: Date;
}

/** Which parts of the service work on this platform. */
export class PlatformFeaturesDto {
  /**
   * Search by meaning.
   * @example false
   */
  vectorSearch!: boolean;

  /**
   * Answers from the platform's content.
   * @example false
   */
  vectorChat!: boolean;

  /** @example false */
  transcripts!: boolean;

  /**
   * Push notifications to mobile devices.
   * @example false
   */
  push!: boolean;

  /**
   * Whether visitors may sign up by themselves.
   * @example true
   */
  signup!: boolean;
}

export class PublicPlatformDto extends PlatformDto {
  features!: PlatformFeaturesDto;
}

export class PlatformSummaryDto {
  /** @example 1 */
  id!: number;

  /** @example "Harbour Sailing Club" */
  name!: string;

  /** @example "harbour" */
  slug!: string;
}
