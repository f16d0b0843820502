import { Glob } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { PublishSecret } from './publish-auth.ts';

export const streamKeyLimits = {
  keys: 200,
  /** Revoked keys that refusals still name. */
  revoked: 100,
  /** Replaced values of one key that refusals still name. */
  replaced: 3,
  nameCharacters: 60,
  streams: 50,
  publishers: 1000,
} as const;

/** Protocols that a stream key can be limited to, in the media server's names: `rtc` is WebRTC (WHIP). */
export const streamKeyProtocols = ['rtmp', 'srt', 'rtc'] as const;
export type StreamKeyProtocol = (typeof streamKeyProtocols)[number];

/** `app/name` or `vhost/app/name`, or a glob over it. A slash at its start is dropped. */
const Pattern = z
  .string()
  .trim()
  .transform((text) => text.replace(/^\/+/, ''))
  .pipe(
    z
      .string()
      .min(1)
      .max(limits.streamNameCharacters)
      .refine((text) => text.includes('/') || text.startsWith('**'), 'must be app/name, or a pattern such as live/*')
      .refine((text) => typeof Glob.parse(text) !== 'string', 'is not a valid pattern'),
  );

const Protocols = z.array(z.enum(streamKeyProtocols)).max(streamKeyProtocols.length);
const Expiry = z.union([z.literal(''), z.iso.datetime()]);
const Publishers = z.int().min(0).max(streamKeyLimits.publishers);

/** Fields that the owner sets. */
export const StreamKeyFields = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(streamKeyLimits.nameCharacters)
    .refine((name) => !/\p{Cc}/u.test(name), 'may contain no control characters'),
  /** Streams that it opens. */
  streams: z.array(Pattern).min(1).max(streamKeyLimits.streams),
  /** Empty: all. */
  protocols: Protocols,
  /** Empty: never. */
  expiresAt: Expiry,
  /** Streams that may be published with it at once; 0: any number. */
  publishers: Publishers,
  enabled: z.boolean(),
});
export type StreamKeyFields = z.infer<typeof StreamKeyFields>;

const StreamKeyUse = z.object({
  at: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** rtmp, srt or rtc; empty if the media server does not report it. */
  protocol: z.string(),
  address: z.string(),
});
export type StreamKeyUse = z.infer<typeof StreamKeyUse>;

/** A stream key without its value, which only the answers of `create` and `rotate` hold. */
const StreamKeyRow = StreamKeyFields.extend({
  uuid: z.string(),
  createdAt: z.string(),
  /** When its value was replaced last; empty if never. */
  rotatedAt: z.string(),
  /** Null if never used. */
  last: StreamKeyUse.nullable(),
  /** Current publisher with this key, since `at`. */
  live: z.array(StreamKeyUse),
});
export type StreamKeyRow = z.infer<typeof StreamKeyRow>;

const Uuid = z.string().max(64).default('');
/** A value of the owner's; made when empty. */
const Value = z.union([z.literal(''), PublishSecret]).default('');
const Shown = z.object({ key: StreamKeyRow, secret: z.string() });

export const streamKeysApi = {
  query: post('/terraform/v1/hooks/srs/keys/query', {
    summary: 'List stream keys without their values, with last use and current publishers',
    data: z.object({ keys: z.array(StreamKeyRow) }),
  }),
  create: post('/terraform/v1/hooks/srs/keys/create', {
    summary: 'Create a stream key; its value (`secret`) is in this answer only',
    body: StreamKeyFields.extend({
      protocols: Protocols.default([]),
      expiresAt: Expiry.default(''),
      publishers: Publishers.default(0),
      enabled: z.boolean().default(true),
      secret: Value,
    }),
    data: Shown,
  }),
  update: post('/terraform/v1/hooks/srs/keys/update', {
    summary: 'Change a stream key; publishers that it no longer allows are disconnected',
    body: StreamKeyFields.partial().extend({ uuid: Uuid }),
    data: StreamKeyRow,
  }),
  rotate: post('/terraform/v1/hooks/srs/keys/rotate', {
    summary: 'Replace the value of a stream key and disconnect its publishers; the value is in this answer only',
    body: z.object({ uuid: Uuid, secret: Value }),
    data: Shown,
  }),
  revoke: post('/terraform/v1/hooks/srs/keys/revoke', {
    summary: 'Remove a stream key and disconnect its publishers',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
} as const;
