import type { PlatformDto, PlatformFeaturesDto, PublicPlatformDto } from './dto/platform.dto';
import type { Platform } from './platform.entity';

/** A platform as anyone may see it: credentials are null. */
export const presentPlatform = (platform: Platform): PlatformDto => ({
  id: platform.id,
  name: platform.name,
  slug: platform.slug,
  description: platform.description,
  upgradeBtn: platform.upgradeBtn,
  heroImage: platform.heroImage,
  favIconImage: platform.favIconImage,
  heroBGColor: platform.heroBGColor,
  heroTextColor: platform.heroTextColor,
  primaryColor: platform.primaryColor,
  secondaryColor: platform.secondaryColor,
  darkColor: platform.darkColor,
  lightColor: platform.lightColor,
  heroImgOnly: platform.heroImgOnly,
  fathomAnalytics: platform.fathomAnalytics,
  homepageUrl: platform.homepageUrl,
  upgradeUrl: platform.upgradeUrl,
  logo: platform.logo,
  premiumToken: null,
  basicToken: null,
  hideSignin: platform.hideSignin,
  timezone: platform.timezone,
  createdAt: platform.createdAt,
  updatedAt: platform.updatedAt,
});

/** What later parts of the service will turn on. */
const FEATURES: PlatformFeaturesDto = {
  vectorSearch: false,
  vectorChat: false,
  transcripts: false,
  push: false,
  signup: false,
};

export const presentPublicPlatform = (platform: Platform): PublicPlatformDto => ({
  ...presentPlatform(platform),
  features: { ...FEATURES },
});
