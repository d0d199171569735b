import type { PlatformDto, PublicPlatformDto } from './dto/platform.dto';
import type { SettingsDto } from './dto/settings.dto';
import type { PlatformSettings } from './platform-settings';
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

/** A platform as its own admins see it. */
export const presentOwnPlatform = (platform: Platform): PlatformDto => ({
  ...presentPlatform(platform),
  premiumToken: platform.premiumToken,
  basicToken: platform.basicToken,
});

/** Parts of the service that no platform has yet. */
const NOT_YET = { vectorSearch: false, vectorChat: false, transcripts: false, push: false };

export const presentPublicPlatform = (
  platform: Platform,
  { signup }: PlatformSettings,
): PublicPlatformDto => ({
  ...presentPlatform(platform),
  features: { ...NOT_YET, signup },
});

export const presentSettings = (settings: PlatformSettings): SettingsDto => ({
  signup: settings.signup,
  defaultVisibility: settings.defaultVisibility,
  showTeasers: settings.showTeasers,
  commentsRequireApproval: settings.commentsRequireApproval,
  commentEditMinutes: settings.commentEditMinutes,
  blockedWords: settings.blockedWords,
  allowedEmoji: settings.allowedEmoji,
  allowedOrigins: settings.allowedOrigins,
  embedOrigins: settings.embedOrigins,
  push: { connected: false, projectId: null },
  ai: settings.ai,
});
