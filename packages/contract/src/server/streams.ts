import { defaultVhost, engineRefusals } from '@weir/dialect';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { verdicts } from './diagnosis.ts';

/** How a kind of viewers gets a track: as it was published, converted for them, not at all for now, or there is none. */
export const renditionTracks = ['none', 'direct', 'converted', 'unavailable'] as const;
const RenditionTrack = z.enum(renditionTracks);

/** The ways to play a stream, as the media server names them. */
export const playProtocols = ['rtc', 'flv', 'hls', 'rtmp', 'srt'] as const;

export const ViewersBy = z.object({ rtc: z.int(), flv: z.int(), hls: z.int(), rtmp: z.int(), srt: z.int() });

/** What arrives from a publisher, as the engine measures it at this moment. A track is null until its codec is known. */
export const StreamMedia = z.object({
  /** How the publisher connected: rtmp, srt or rtc; empty when the media server does not tell. */
  protocol: z.string(),
  address: z.string(),
  /** Neither our own programs nor the console's own picture are among them. */
  viewers: z.int(),
  /** The same by how they play; absent when the media server does not tell. */
  viewersBy: ViewersBy.optional(),
  kbps: z.number(),
  fps: z.number(),
  video: z
    .object({
      codec: z.string(),
      profile: z.string(),
      width: z.number(),
      height: z.number(),
      /** As the video announces it; absent when it does not. */
      fps: z.number().optional(),
    })
    .nullable(),
  audio: z.object({ codec: z.string(), sampleRate: z.number(), channels: z.number() }).nullable(),
  /** Pictures refer to later ones, which browsers cannot show by WebRTC. */
  bFrames: z.boolean(),
  /** What viewers by WebRTC get. */
  webrtc: z.object({ video: RenditionTrack, audio: RenditionTrack, reason: z.string() }).optional(),
});
export type StreamMedia = z.infer<typeof StreamMedia>;

/** A stream that somebody publishes now. */
export const ActiveStream = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Query of the publisher's address, with everything secret in it hidden. */
  param: z.string().optional(),
  server_id: z.string(),
  client_id: z.string(),
  /** When its publisher was accepted. */
  update: z.string(),
  media: StreamMedia.optional(),
});
export type ActiveStream = z.infer<typeof ActiveStream>;

/**
 * Why somebody may not publish. `in-use`: somebody else publishes this stream. `too-many`: the server has as many streams
 * as it carries. `callback`: the receiver of callbacks said no. `hours-used`: the hours of this month are used up.
 */
const publishRefusals = ['secret-missing', 'secret-wrong', ...engineRefusals, 'callback', 'hours-used'] as const;
export type PublishRefusal = (typeof publishRefusals)[number];

/** A publisher that was turned away, `count` times since the first. What it showed as a secret is nowhere in it. */
export const PublishAttempt = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** rtmp, srt or rtc; empty when the media server does not tell. */
  protocol: z.string(),
  address: z.string(),
  reason: z.enum(publishRefusals),
  count: z.int(),
  /** Of the last one. */
  at: z.string(),
});
export type PublishAttempt = z.infer<typeof PublishAttempt>;

/** A stream that was live. */
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
      /** The publisher that is meant. With it, somebody who took over since is left alone. */
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
