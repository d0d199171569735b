import { IsBoolean, IsTimeZone, Matches } from 'class-validator';
import { IsClearable, IsColor, IsId, IsOmittable, IsSlug, IsText, IsTitle, IsWebUrl } from '#libs/http';
import { IsHomepage } from './is-homepage';

/** What admins change about their platform. What is left out stays. */
export class SavePlatformDto {
  /** @example "Harbour Sailing Club" */
  @IsOmittable()
  @IsTitle(1, 100)
  name?: string;

  /**
   * Unique over all platforms.
   * @example "harbour"
   */
  @IsOmittable()
  @IsSlug(60, 2)
  slug?: string;

  /** @example "People who sail, and those who want to." */
  @IsClearable()
  @IsText(10_000)
  description?: string | null;

  /**
   * Label of the upgrade button.
   * @example "Become a premium member"
   */
  @IsClearable()
  @IsText(100)
  upgradeBtn?: string | null;

  /** @example "https://example.org/hero.jpg" */
  @IsClearable()
  @IsWebUrl()
  heroImage?: string | null;

  /** @example "https://example.org/favicon.png" */
  @IsClearable()
  @IsWebUrl()
  favIconImage?: string | null;

  /** @example "#0b3d5c" */
  @IsClearable()
  @IsColor()
  heroBGColor?: string | null;

  /** @example "#ffffff" */
  @IsClearable()
  @IsColor()
  heroTextColor?: string | null;

  /** @example "#0b3d5c" */
  @IsClearable()
  @IsColor()
  primaryColor?: string | null;

  /** @example "#f2b134" */
  @IsClearable()
  @IsColor()
  secondaryColor?: string | null;

  /** @example "#111" */
  @IsClearable()
  @IsColor()
  darkColor?: string | null;

  /** @example "#fafafa" */
  @IsClearable()
  @IsColor()
  lightColor?: string | null;

  /** @example false */
  @IsOmittable()
  @IsBoolean()
  heroImgOnly?: boolean;

  /**
   * Site id of the analytics provider.
   * @example "ABCDEFGH"
   */
  @IsClearable()
  @IsText(100)
  fathomAnalytics?: string | null;

  /**
   * Where people read the platform; unique over all platforms, whatever its scheme and spelling.
   * @example "https://harbour.example.org"
   */
  @IsClearable()
  @IsHomepage()
  homepageUrl?: string | null;

  /** @example "https://harbour.example.org/upgrade" */
  @IsClearable()
  @IsWebUrl()
  upgradeUrl?: string | null;

  /** @example "https://example.org/logo.svg" */
  @IsClearable()
  @IsWebUrl()
  logo?: string | null;

  /**
   * The code that raises a member to premium.
   * @example "sail-2026"
   */
  @IsClearable()
  @IsTitle(0, 200)
  premiumToken?: string | null;

  /**
   * The code that raises a member to basic.
   * @example "dock-2026"
   */
  @IsClearable()
  @IsTitle(0, 200)
  basicToken?: string | null;

  /** @example false */
  @IsClearable()
  @IsBoolean()
  hideSignin?: boolean | null;

  /**
   * IANA zone in which times without an offset are read.
   * @example "Europe/Lisbon"
   */
  @IsOmittable()
  @IsTimeZone()
  @Matches(/^[a-z]/i, { message: '$property must be the name of a zone, not an offset' })
  timezone?: string;
}

/** As admins send it. */
export class SaveOwnPlatformDto extends SavePlatformDto {
  /**
   * Of one's own platform, which is meant without it too.
   * @example 1
   */
  @IsClearable()
  @IsId()
  id?: number | null;
}
