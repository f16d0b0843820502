import { defaultVhost, isUsableName, playModes, playRefusals } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { accessLimits } from './access.ts';
import { Branding } from './branding.ts';

export const watchLimits = {
  pages: 5000,
  titleCharacters: 120,
  descriptionCharacters: 2000,
  links: 8,
  linkNameCharacters: 40,
  linkUrlCharacters: 500,
  /** Size of an uploaded picture, whose base64 fits an ordinary body. */
  pictureBytes: 700 * 1024,
  /** Longer side of a picture, in pixels. */
  pictureSide: 1920,
  logoSide: 320,
  /** Streams on the channel page. */
  listed: 100,
} as const;

export const watchPictures = ['poster', 'logo', 'background'] as const;
export type WatchPicture = (typeof watchPictures)[number];

const Moment = z.union([z.literal(''), z.iso.datetime({ offset: true })]);

/** Link that visitors may follow. Only the web and mail: `javascript:` and the like never reach a page. */
const WatchLink = z.object({
  name: z.string().trim().min(1).max(watchLimits.linkNameCharacters),
  url: z
    .string()
    .trim()
    .max(watchLimits.linkUrlCharacters)
    .refine(isFollowable, 'must be an http, https or mailto URL without a user name'),
});

const pageFields = {
  title: z.string().trim().max(watchLimits.titleCharacters).default(''),
  description: z.string().trim().max(watchLimits.descriptionCharacters).default(''),
  /** `#rrggbb`; empty for the colour of the product. */
  accent: z.union([z.literal(''), z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #147083')]).default(''),
  links: z.array(WatchLink).max(watchLimits.links).default([]),
  showsViewers: z.boolean().default(false),
  allowsSharing: z.boolean().default(true),
  /** Search engines may list the page. Pages of protected streams are never listed. */
  isIndexed: z.boolean().default(false),
  /** On the channel page, if everybody may watch the stream. */
  isListed: z.boolean().default(false),
  /** Announced start and end; empty for none. */
  startsAt: Moment.default(''),
  endsAt: Moment.default(''),
} as const;

/** Settings of a stream's watch page. */
export const WatchPage = z.object(pageFields);
export type WatchPage = z.infer<typeof WatchPage>;

const place = {
  vhost: z.string().min(1).max(limits.streamNameCharacters).default(defaultVhost),
  app: z.string().min(1).max(limits.streamNameCharacters).refine(isUsableName, 'is not a valid name'),
  stream: z.string().min(1).max(limits.streamNameCharacters).refine(isUsableName, 'is not a valid name'),
};

/** URL paths of the owner's pictures; empty where there is none. They change with the picture. */
const Pictures = z.object({ poster: z.string(), logo: z.string(), background: z.string() });

const OwnedPage = z.object({ playback: z.string(), page: WatchPage, pictures: Pictures });
export type OwnedPage = z.infer<typeof OwnedPage>;

export const Channel = z.object({
  isOn: z.boolean().default(false),
  title: z.string().trim().max(watchLimits.titleCharacters).default(''),
  description: z.string().trim().max(watchLimits.descriptionCharacters).default(''),
});
export type Channel = z.infer<typeof Channel>;

/** Path of the channel page, also as the home page of the server. */
export const channelPath = '/watch/';

export const watchPageApi = {
  query: post('/terraform/v1/mgmt/watch/query', {
    summary: 'Get the settings of the watch page of a stream, and its playback id',
    body: z.object(place),
    data: OwnedPage,
  }),
  save: post('/terraform/v1/mgmt/watch/update', {
    summary: 'Change the watch page of a stream; fields that are left out get their defaults',
    body: z.object({ ...place, page: WatchPage }),
    data: OwnedPage,
  }),
  picture: post('/terraform/v1/mgmt/watch/picture', {
    summary: 'Set the poster, logo or background of a watch page: a PNG or JPEG in base64, or empty to remove it',
    body: z.object({
      ...place,
      kind: z.enum(watchPictures),
      picture: z.string().max(Math.ceil((watchLimits.pictureBytes * 4) / 3) + 4),
    }),
    data: OwnedPage,
  }),
  channel: post('/terraform/v1/mgmt/watch/channel/query', {
    summary: 'Get the settings of the channel page, which lists public streams',
    data: Channel,
  }),
  saveChannel: post('/terraform/v1/mgmt/watch/channel/update', {
    summary: 'Change the channel page, which lists public streams',
    body: Channel,
    data: Channel,
  }),
} as const;

const playback = z.string().max(64);

const WatchedStream = z.object({
  playback: z.string(),
  mode: z.enum(playModes),
  isLive: z.boolean(),
  /** Sites that may show the player in a frame; empty for all. */
  sites: z.array(z.string()),
  /** Reason of a refusal; empty if the viewer may watch. Limits of viewers are not checked here. */
  refusal: z.union([z.literal(''), z.enum(playRefusals)]),
  /** Absent unless the owner shows it. */
  viewers: z.int().optional(),
  /** When the stream went live; empty while it is not. */
  startedAt: z.string(),
  /** First and last date that viewers can go back to, and the date of this answer. Absent where they cannot. */
  rewind: z.object({ from: z.string(), to: z.string(), now: z.string() }).optional(),
  page: WatchPage,
  pictures: Pictures,
  site: Branding,
});
export type WatchedStream = z.infer<typeof WatchedStream>;

const ChannelStream = z.object({
  playback: z.string(),
  title: z.string(),
  isLive: z.boolean(),
  viewers: z.int().optional(),
  startsAt: z.string(),
  /** URL path; empty without a picture. */
  picture: z.string(),
});
export type ChannelStream = z.infer<typeof ChannelStream>;

const ListedChannel = z.object({
  isOn: z.boolean(),
  title: z.string(),
  description: z.string(),
  site: Branding,
  streams: z.array(ChannelStream),
});
export type ListedChannel = z.infer<typeof ListedChannel>;

/** Calls of viewers' pages. */
export const watchApi = {
  describe: post('/terraform/v1/watch/query', {
    summary: 'Get what a viewer may know of the stream with this playback id, and whether a playback token opens it',
    access: 'public',
    body: z.object({ playback, token: z.string().max(2048).default('') }),
    data: WatchedStream,
  }),
  unlock: post('/terraform/v1/watch/unlock', {
    summary: 'Exchange the password of a stream for a playback token',
    access: 'public',
    body: z.object({ playback, password: z.string().max(accessLimits.passwordCharacters) }),
    data: z.object({ token: z.string(), expiresAt: z.string() }),
  }),
  channel: post('/terraform/v1/watch/channel', {
    summary: 'Get the public streams of the channel page',
    access: 'public',
    data: ListedChannel,
  }),
} as const;

function isFollowable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:', 'mailto:'].includes(protocol) && username === '' && password === '';
}
