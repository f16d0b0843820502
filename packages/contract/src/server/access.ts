import { defaultVhost, Glob, isUsableName, playModes, tokenAlgorithms } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';

export const accessLimits = {
  rules: 500,
  links: 10_000,
  /** Keys that sign links. A key is kept for as long as one of its links is valid. */
  keys: 20,
  playbacks: 5000,
  patternCharacters: 512,
  listed: 50,
  labelCharacters: 80,
  passwordLeast: 8,
  passwordCharacters: 128,
  secretLeast: 16,
  secretCharacters: 512,
  viewers: 1_000_000,
  /** Longest validity of a link. */
  linkDays: 366,
  /** Validity of the token that a password is exchanged for. */
  passwordHours: 24,
} as const;

const PlayMode = z.enum(playModes);

const Pattern = z
  .string()
  .trim()
  .min(1)
  .max(accessLimits.patternCharacters)
  .transform((text) => (text.startsWith('/') ? text : `/${text}`))
  .refine((text) => typeof Glob.parse(text) !== 'string', 'is not a valid pattern');

/** Host of a site, also with `*.` in front for every name below it. */
const Site = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'must be a host name such as www.example.com');

const Network = z.string().trim().max(64).refine(isNetwork, 'must be an address or network such as 192.0.2.0/24');

const ruleFields = {
  /** A path such as `/live/stage`, or a pattern such as `/live/*`. */
  pattern: Pattern,
  mode: PlayMode,
  sites: z.array(Site).max(accessLimits.listed).default([]),
  networks: z.array(Network).max(accessLimits.listed).default([]),
  /** Viewers at once of one stream and of one link; 0 for no limit. */
  maxViewers: z.int().min(0).max(accessLimits.viewers).default(0),
  maxPerLink: z.int().min(0).max(accessLimits.viewers).default(0),
  /** Algorithm of tokens of your own backend. */
  algorithm: z.enum(tokenAlgorithms).default('HS256'),
  /** URL of the public keys (JWKS) of tokens that are not signed with a shared secret. */
  jwksUrl: z.string().trim().max(2048).default(''),
} as const;

/** Checks of forms before they send a rule. */
export const AccessRuleTexts = z.object({
  pattern: ruleFields.pattern,
  sites: ruleFields.sites,
  networks: ruleFields.networks,
});

export const AccessRule = z.object({
  id: z.string(),
  ...ruleFields,
  pattern: z.string(),
  hasPassword: z.boolean(),
  hasSecret: z.boolean(),
  /** Number of public keys that were read from the URL. */
  publicKeys: z.number(),
});
export type AccessRule = z.infer<typeof AccessRule>;

const AccessRuleChange = z.object({
  /** Absent for a new rule. */
  id: z.string().max(64).optional(),
  ...ruleFields,
  /** Absent: stays. Another password ends everybody who came with the old one. */
  password: z.string().min(accessLimits.passwordLeast).max(accessLimits.passwordCharacters).optional(),
  /** Shared secret of HS256. Absent: stays. */
  secret: z.string().min(accessLimits.secretLeast).max(accessLimits.secretCharacters).optional(),
});

const place = {
  vhost: z.string().min(1).max(limits.streamNameCharacters).default(defaultVhost),
  app: z.string().min(1).max(limits.streamNameCharacters).refine(isUsableName, 'is not a valid name'),
  stream: z.string().min(1).max(limits.streamNameCharacters).refine(isUsableName, 'is not a valid name'),
};

const Moment = z.iso.datetime({ offset: true });

export const PlayLink = z.object({
  id: z.string(),
  /** For people, such as "Press". */
  label: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Name of the stream for viewers. */
  playback: z.string(),
  /** Shown by viewers as `token=`. Empty once the link is revoked or has expired. */
  token: z.string(),
  state: z.enum(['waiting', 'valid', 'expired', 'revoked']),
  createdAt: z.string(),
  /** Empty for at once. */
  startsAt: z.string(),
  expiresAt: z.string(),
  /** Viewers at once; 0 for no limit. */
  devices: z.number(),
  /** Address that the token is bound to; empty for any. */
  address: z.string(),
  viewers: z.number(),
  /** Empty before the first. */
  lastUsedAt: z.string(),
});
export type PlayLink = z.infer<typeof PlayLink>;

/** Address of the one who may use a link; empty for everybody. */
export const PlayLinkAddress = z
  .string()
  .trim()
  .max(64)
  .refine((text) => text === '' || (isNetwork(text) && !text.includes('/')), 'must be an IP address');

const PlayLinkChange = z.object({
  ...place,
  label: z.string().trim().max(accessLimits.labelCharacters).default(''),
  startsAt: Moment.optional(),
  expiresAt: Moment,
  devices: z.int().min(0).max(accessLimits.viewers).default(0),
  address: PlayLinkAddress.default(''),
});

export const accessApi = {
  query: post('/terraform/v1/mgmt/access/query', {
    summary: 'Get the rules that decide who may watch which streams',
    data: z.object({ rules: z.array(AccessRule) }),
  }),
  save: post('/terraform/v1/mgmt/access/update', {
    summary: 'Add or change a rule; viewers who may not watch by it are disconnected within two seconds',
    body: AccessRuleChange,
    data: AccessRule,
  }),
  remove: post('/terraform/v1/mgmt/access/remove', {
    summary: 'Remove a rule',
    body: z.object({ id: z.string().max(64) }),
    data: z.null(),
  }),
  order: post('/terraform/v1/mgmt/access/order', {
    summary: 'Change the order of rules: of several patterns that match a stream, the first decides',
    body: z.object({ ids: z.array(z.string().max(64)).max(accessLimits.rules) }),
    data: z.null(),
  }),
  testKeys: post('/terraform/v1/mgmt/access/jwks', {
    summary: 'Read the public keys at a JWKS URL without saving it',
    body: z.object({ jwksUrl: z.string().trim().min(1).max(2048), algorithm: z.enum(['RS256', 'ES256']) }),
    data: z.object({ keys: z.array(z.object({ id: z.string() })) }),
  }),
  links: post('/terraform/v1/mgmt/access/links', {
    summary: 'Get signed links with their viewers, newest first: all, or those to one stream',
    body: z.object({ vhost: place.vhost, app: place.app.optional(), stream: place.stream.optional() }),
    data: z.object({ links: z.array(PlayLink) }),
  }),
  makeLink: post('/terraform/v1/mgmt/access/link', {
    summary: 'Make a signed link to one stream',
    body: PlayLinkChange,
    data: PlayLink,
  }),
  revokeLink: post('/terraform/v1/mgmt/access/revoke', {
    summary: 'Revoke one link; its viewers are disconnected within two seconds',
    body: z.object({ id: z.string().max(64) }),
    data: z.null(),
  }),
  rotateKey: post('/terraform/v1/mgmt/access/key', {
    summary: 'Sign new links with a new key; links that were made before stay valid',
    data: z.null(),
  }),
  playback: post('/terraform/v1/mgmt/access/playback', {
    summary: 'Get the playback id of a stream: its name for viewers, which says nothing of the stream',
    body: z.object(place),
    data: z.object({ playback: z.string() }),
  }),
} as const;

/** An IP address, or one with the length of its network's prefix. */
function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  if (more !== undefined) return false;
  const isV4 = z.ipv4().safeParse(address).success;
  if (!isV4 && !z.ipv6().safeParse(address).success) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128));
}
