import { defaultVhost, engineRefusals } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { verdicts } from './diagnosis.ts';

/** Delivery of a track to a kind of viewers: unchanged, converted, currently unavailable, or absent. */
export const renditionTracks = ['none', 'direct', 'converted', 'unavailable'] as const;
const RenditionTrack = z.enum(renditionTracks);

export const ViewersBy = z.object({ rtc: z.int(), flv: z.int(), hls: z.int(), rtmp: z.int(), srt: z.int() });

/** Quality that a player requests by name. */
export const StreamQuality = z.object({
  name: z.string(),
  width: z.int(),
  height: z.int(),
  kbps: z.number(),
  viewers: z.int(),
});
export type StreamQuality = z.infer<typeof StreamQuality>;

/** Current measurements of a published stream. A track is null until its codec is known. */
export const StreamMedia = z.object({
  /** Publishing protocol: rtmp, srt or rtc; empty if the media server does not report it. */
  protocol: z.string(),
  address: z.string(),
  /** Excludes our own processes and the console's preview. */
  viewers: z.int(),
  /** Viewers by protocol; absent if the media server does not report it. */
  viewersBy: ViewersBy.optional(),
  kbps: z.number(),
  fps: z.number(),
  /** Best first; absent if there is one. */
  qualities: z.array(StreamQuality).optional(),
  video: z
    .object({
      codec: z.string(),
      profile: z.string(),
      width: z.number(),
      height: z.number(),
      /** Declared frame rate; absent if the video declares none. */
      fps: z.number().optional(),
    })
    .nullable(),
  audio: z.object({ codec: z.string(), sampleRate: z.number(), channels: z.number() }).nullable(),
  /** B-frames, which browsers cannot play via WebRTC. */
  bFrames: z.boolean(),
  /** Tracks as delivered via WebRTC. */
  webrtc: z.object({ video: RenditionTrack, audio: RenditionTrack, reason: z.string() }).optional(),
});
export type StreamMedia = z.infer<typeof StreamMedia>;

export const ActiveStream = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Query of the publish URL with secrets hidden. */
  param: z.string().optional(),
  server_id: z.string(),
  client_id: z.string(),
  /** Time the publisher was accepted. */
  update: z.string(),
  /** Name of the stream key that it is published with; absent with the publish secret or a room's. */
  key: z.string().optional(),
  media: StreamMedia.optional(),
});
export type ActiveStream = z.infer<typeof ActiveStream>;

/**
 * Reasons to refuse a publisher. `in-use`: the stream already has one. `too-many`: stream limit reached. `callback`: refused by the
 * callback receiver. `hours-used`: monthly hours used up. With a stream key: it expired, is off, revoked, replaced by a new value, does not
 * open this stream or not over this protocol, or as many publishers as it allows use it (`key-full`).
 */
const publishRefusals = [
  ...(['secret-missing', 'secret-wrong', ...engineRefusals, 'callback', 'hours-used'] as const),
  ...(['key-expired', 'key-off', 'key-revoked', 'key-replaced', 'key-stream', 'key-protocol', 'key-full'] as const),
] as const;
export type PublishRefusal = (typeof publishRefusals)[number];

/** Refused publisher, `count` times since the first attempt. Never includes the secret it sent. */
export const PublishAttempt = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** rtmp, srt or rtc; empty if the media server does not report it. */
  protocol: z.string(),
  address: z.string(),
  reason: z.enum(publishRefusals),
  /** Name of the stream key that it sent; absent if it sent none. */
  key: z.string().optional(),
  /** When that key expired or was revoked, for these reasons. */
  keyEndedAt: z.string().optional(),
  count: z.int(),
  /** Last attempt. */
  at: z.string(),
});
export type PublishAttempt = z.infer<typeof PublishAttempt>;

export const EndedStream = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  publishedAt: z.string(),
  endedAt: z.string(),
});
export type EndedStream = z.infer<typeof EndedStream>;

const Name = z.string().min(1).max(limits.streamNameCharacters);

export const streamsApi = {
  query: post('/terraform/v1/mgmt/streams/query', {
    summary: 'List live streams, newest first, and recently ended ones',
    data: z.object({
      /** `verdict` as in `streams/overview` and `streams/detail`; absent where the media server measures nothing. */
      streams: z.array(ActiveStream.extend({ verdict: z.enum(verdicts).optional() })),
      ended: z.array(EndedStream).default([]),
    }),
  }),
  attempts: post('/terraform/v1/mgmt/streams/attempts', {
    summary: 'List publishers rejected in the last two minutes, newest first, until their stream is live',
    data: z.object({ attempts: z.array(PublishAttempt) }),
  }),
  preview: post('/terraform/v1/mgmt/streams/preview', {
    summary: 'Get a URL query for previewing a stream without being counted as a viewer',
    body: z.object({ vhost: Name.default(defaultVhost), app: Name, stream: Name }),
    data: z.object({ query: z.string(), expireAt: z.string() }),
  }),
  kickoff: post('/terraform/v1/mgmt/streams/kickoff', {
    summary: 'Disconnect the publisher of a stream; it may reconnect',
    body: z.object({
      vhost: Name,
      app: Name,
      stream: Name,
      /** Expected publisher; a successor is not disconnected. */
      client_id: z.string().max(limits.streamNameCharacters).default(''),
    }),
    data: z.null(),
  }),
  kickViewer: post('/terraform/v1/mgmt/streams/viewers/kickoff', {
    summary: 'Disconnect a viewer of a stream, by its id in streams/detail; its player may reconnect',
    body: z.object({ vhost: Name.default(defaultVhost), app: Name, stream: Name, id: z.string().min(1).max(100) }),
    data: z.null(),
  }),
} as const;
