import { isNamedPlatform, type NamedPlatform, type Outlet } from '@weir/contract';
import { type OwnServer, ownStreamName } from './own-destination.ts';

/** Platforms that can be chosen with one click. */
const presetIds = ['youtube', 'twitch', 'facebook', 'weixin', 'bilibili', 'kuaishou'] as const;
export type PlatformPreset = (typeof presetIds)[number];
/** `own`: a stream on this server. `server`: any other address. */
export type Preset = PlatformPreset | 'own' | 'server';

/** The platform behind a slot's name differs by language; the names are older than that. */
const slotPresets = {
  en: { wx: 'youtube', bilibili: 'twitch', kuaishou: 'facebook' },
  zh: { wx: 'weixin', bilibili: 'bilibili', kuaishou: 'kuaishou' },
} as const satisfies Record<string, Record<NamedPlatform, PlatformPreset>>;

interface PresetFacts {
  /** Server that is the same for everyone; empty where each user gets one. */
  readonly server: string;
  /** Hosts that belong to the platform. */
  readonly hosts: RegExp;
  /** Page that shows server and key. */
  readonly link: string;
}

export const presetFacts: Readonly<Record<PlatformPreset, PresetFacts>> = {
  youtube: {
    server: 'rtmp://a.rtmp.youtube.com/live2',
    hosts: /(^|\.)youtube\.com$/,
    link: 'https://studio.youtube.com/channel/UC/livestreaming',
  },
  twitch: {
    server: 'rtmp://live.twitch.tv/app',
    hosts: /(^|\.)(twitch\.tv|live-video\.net)$/,
    link: 'https://www.twitch.tv/dashboard/settings',
  },
  facebook: {
    server: 'rtmps://live-api-s.facebook.com:443/rtmp/',
    hosts: /(^|\.)facebook\.com$/,
    link: 'https://www.facebook.com/live/producer?ref=OBS',
  },
  weixin: {
    server: '',
    hosts: /(^|\.)(weixin\.qq\.com|wxlivepush\.com)$/,
    link: 'https://channels.weixin.qq.com/platform/live/liveBuild',
  },
  bilibili: {
    server: 'rtmp://live-push.bilivideo.com/live-bvc/',
    hosts: /(^|\.)(bilivideo\.com|bilibili\.com)$/,
    link: 'https://link.bilibili.com/p/center/index#/my-room/start-live',
  },
  kuaishou: {
    server: '',
    hosts: /(^|\.)(kuaishou\.com|gifshow\.com|kwaicdn\.com)$/,
    link: 'https://studio.kuaishou.com/live/list',
  },
};

/** Platforms in the order of a reader's language. */
export function listPresets(locale: string): PlatformPreset[] {
  const first = Object.values(slotPresets[locale === 'zh' ? 'zh' : 'en']);
  return [...first, ...presetIds.filter((id) => !first.some((one) => one === id))];
}

/** Slot that belongs to a platform in this language. */
export function findPresetSlot(preset: Preset, locale: string): NamedPlatform | undefined {
  const slots = Object.entries(slotPresets[locale === 'zh' ? 'zh' : 'en']) as [NamedPlatform, PlatformPreset][];
  return slots.find(([, id]) => id === preset)?.[0];
}

/** Recognises where a slot sends: by its address, then by its name. */
export function findPreset(
  slot: Pick<Outlet, 'platform' | 'server' | 'secret' | 'custom'>,
  locale: string,
  own?: OwnServer,
): Preset {
  if (own && ownStreamName(slot, own) !== undefined) return 'own';
  const host = URL.canParse(slot.server.trim()) ? new URL(slot.server.trim()).hostname.toLowerCase() : '';
  const known = presetIds.find((id) => presetFacts[id].hosts.test(host));
  if (known) return known;
  return (slot.custom ? undefined : slotPreset(slot.platform, locale)) ?? 'server';
}

/** A slot is custom unless it is the one of its platform. Kuaishou gives each Chinese user an address of their own. */
export function isCustomSlot(platform: string, preset: Preset, locale: string): boolean {
  return findPresetSlot(preset, locale) !== platform || (platform === 'kuaishou' && locale === 'zh');
}

/** Platform of a slot's name in this language; undefined for numbered slots. */
export function slotPreset(platform: string, locale: string): PlatformPreset | undefined {
  return isNamedPlatform(platform) ? slotPresets[locale === 'zh' ? 'zh' : 'en'][platform] : undefined;
}
