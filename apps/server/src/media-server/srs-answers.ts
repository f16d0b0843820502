import { renditionTracks, type StreamMedia, StreamQuality, ViewersBy } from '@weir/contract';
import { defaultVhost } from '@weir/streams';
import * as z from 'zod';
import type { LiveStream } from './media-server.ts';

/** Every answer of SRS's API has a code; 0 means done. */
export const CodeAnswer = z.object({ code: z.int() });

/** SRS: no client has this id. */
export const noSuchClient = 2049;

/** Missing or malformed fields must not fail the whole list. */
const Text = z.string().default('').catch('');
const Amount = z.number().default(0).catch(0);

const Media = z.object({
  clients: Amount,
  fps: Amount,
  kbps: z.object({ recv_5s: Amount, recv_30s: Amount }).prefault({}),
  video: z
    .object({ codec: Text, profile: Text, width: Amount, height: Amount, fps: Amount })
    .nullable()
    .default(null)
    .catch(null),
  audio: z.object({ codec: Text, sample_rate: Amount, channel: Amount }).nullable().default(null).catch(null),
});

const RenditionTrack = z.enum(renditionTracks);
/** Only the embedded engine tells this. */
const Own = z
  .object({
    bFrames: z.boolean(),
    viewers: ViewersBy.optional().catch(undefined),
    qualities: z.array(StreamQuality).default([]).catch([]),
    renditions: z.object({ webrtc: z.object({ video: RenditionTrack, audio: RenditionTrack, reason: Text }) }),
  })
  .optional()
  .catch(undefined);

/** Beside SRS's fields the embedded engine tells the vhost's name and more of the publisher. */
export const StreamsAnswer = z.object({
  code: z.literal(0),
  server: z.string().default(''),
  streams: z.array(
    Media.extend({
      weir: Own,
      name: z.string(),
      app: z.string(),
      /** SRS: an id, and `/app/name`. */
      vhost: Text,
      url: Text,
      vhostName: z.string().default(defaultVhost),
      /** SRS: when the stream began, milliseconds since 1970. */
      live_ms: z.number().default(0),
      publish: z
        .object({
          active: z.boolean().default(false),
          cid: z.string().default(''),
          since: z.string().default(''),
          param: z.string().default(''),
          address: Text,
          protocol: Text,
        })
        .prefault({}),
    }),
  ),
});

export function toLiveStreams({ server, streams }: z.output<typeof StreamsAnswer>): LiveStream[] {
  return streams
    .filter(({ publish }) => publish.active)
    .map((stream) => ({
      vhost: stream.vhostName,
      app: stream.app,
      name: stream.name,
      serverId: server,
      clientId: stream.publish.cid,
      param: stream.publish.param,
      publishedAt: new Date(Date.parse(stream.publish.since) || stream.live_ms).toISOString(),
      media: mediaOf(stream),
    }));
}

type ListedStream = z.output<typeof StreamsAnswer>['streams'][number];

function mediaOf({ publish, clients, kbps, fps, video, audio, weir }: ListedStream): StreamMedia {
  return {
    // `rtmp-publish`: that it publishes is known here.
    protocol: publish.protocol.split('-')[0] ?? '',
    address: publish.address,
    // The publisher is a client as well.
    viewers: weir?.viewers ? Object.values(weir.viewers).reduce((sum, one) => sum + one, 0) : Math.max(0, clients - 1),
    ...(weir?.viewers && { viewersBy: weir.viewers }),
    ...(weir && weir.qualities.length > 0 && { qualities: weir.qualities }),
    kbps: kbps.recv_5s || kbps.recv_30s,
    fps,
    video: video && videoOf(video),
    audio: audio && { codec: audio.codec, sampleRate: audio.sample_rate, channels: audio.channel },
    bFrames: weir?.bFrames ?? false,
    ...(weir && { webrtc: weir.renditions.webrtc }),
  };
}

function videoOf({ fps, ...video }: NonNullable<ListedStream['video']>): NonNullable<StreamMedia['video']> {
  return { ...video, ...(fps > 0 && { fps }) };
}
