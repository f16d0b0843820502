import type { PlaybackMetrics } from '../playback/playback.ts';

/** Record of an `RTCStatsReport`. Browsers omit unknown values. */
export type RtcRecord = { readonly id: string; readonly type: string } & Readonly<Record<string, unknown>>;

/** Counters at one point in time; two of them give a rate. */
export interface RtcCounters {
  readonly atMs: number;
  readonly bytes: number;
  readonly packets: number;
  readonly lost: number;
  readonly frames: number;
  readonly keyframes: number;
  /** Total time that frames (audio: samples) spent between arrival and decoding, and their number. */
  readonly heldSeconds: number;
  readonly emitted: number;
}

export interface SenderMetrics extends PlaybackMetrics {
  readonly fps?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Quality limit of the encoder: `cpu` or `bandwidth`. */
  readonly limitedBy?: string | undefined;
}

export function readInbound(
  records: readonly RtcRecord[],
  before: RtcCounters | undefined,
): { counters: RtcCounters; measured: PlaybackMetrics } {
  const tracks = records.filter(({ type }) => type === 'inbound-rtp');
  const video = tracks.find(({ kind }) => kind === 'video');
  const shown = video ?? tracks[0];
  const counters: RtcCounters = {
    atMs: Math.max(0, ...tracks.map((track) => readNumber(track, 'timestamp'))),
    bytes: sum(tracks, 'bytesReceived'),
    packets: sum(tracks, 'packetsReceived'),
    lost: sum(tracks, 'packetsLost'),
    frames: sum(tracks, 'framesDecoded'),
    keyframes: sum(tracks, 'keyFramesDecoded'),
    ...readBufferDelay(shown),
  };
  const roundTripMs = roundTrip(records);
  const emitted = before ? counters.emitted - before.emitted : 0;
  const heldMs = before && emitted > 0 ? ((counters.heldSeconds - before.heldSeconds) / emitted) * 1000 : undefined;
  return {
    counters,
    measured: {
      delayMs: heldMs === undefined ? undefined : heldMs + (roundTripMs ?? 0) / 2,
      bitrateKbps: bitrate(counters, before),
      lossPercent: loss(counters, before),
      jitterMs: shown ? readNumber(shown, 'jitter') * 1000 : undefined,
      roundTripMs,
      videoCodec: findCodec(records, video),
      audioCodec: findCodec(
        records,
        tracks.find(({ kind }) => kind === 'audio'),
      ),
      progress: counters.packets,
    },
  };
}

/** Time from a frame's first packet to its decoding. Audio, and browsers without this value, report the jitter buffer only. */
function readBufferDelay(track: RtcRecord | undefined): Pick<RtcCounters, 'heldSeconds' | 'emitted'> {
  const whole = optional(track, 'totalProcessingDelay');
  const frames = optional(track, 'framesDecoded');
  if (whole !== undefined && frames !== undefined) return { heldSeconds: whole, emitted: frames };
  return {
    heldSeconds: optional(track, 'jitterBufferDelay') ?? 0,
    emitted: optional(track, 'jitterBufferEmittedCount') ?? 0,
  };
}

export function readOutbound(
  records: readonly RtcRecord[],
  before: RtcCounters | undefined,
): { counters: RtcCounters; sent: SenderMetrics } {
  const tracks = records.filter(({ type }) => type === 'outbound-rtp');
  const video = tracks.find(({ kind }) => kind === 'video');
  const told = records.filter(({ type }) => type === 'remote-inbound-rtp');
  const counters: RtcCounters = {
    atMs: Math.max(0, ...tracks.map((track) => readNumber(track, 'timestamp'))),
    bytes: sum(tracks, 'bytesSent'),
    packets: sum(tracks, 'packetsSent'),
    lost: sum(told, 'packetsLost'),
    frames: sum(tracks, 'framesEncoded'),
    keyframes: sum(tracks, 'keyFramesEncoded'),
    heldSeconds: 0,
    emitted: 0,
  };
  const seconds = before ? (counters.atMs - before.atMs) / 1000 : 0;
  const limit = video?.qualityLimitationReason;
  return {
    counters,
    sent: {
      bitrateKbps: bitrate(counters, before),
      lossPercent: loss(counters, before),
      roundTripMs: roundTrip(records),
      fps: before && seconds > 0 ? Math.max(0, counters.frames - before.frames) / seconds : undefined,
      width: optional(video, 'frameWidth'),
      height: optional(video, 'frameHeight'),
      limitedBy: limit === 'cpu' || limit === 'bandwidth' ? limit : undefined,
      videoCodec: findCodec(records, video),
      audioCodec: findCodec(
        records,
        tracks.find(({ kind }) => kind === 'audio'),
      ),
    },
  };
}

function bitrate(now: RtcCounters, before: RtcCounters | undefined): number | undefined {
  if (!before || now.atMs <= before.atMs) return undefined;
  return Math.max(0, (now.bytes - before.bytes) * 8) / (now.atMs - before.atMs);
}

/** Share of packets lost since the last sample. Repaired losses count as received. */
function loss(now: RtcCounters, before: RtcCounters | undefined): number | undefined {
  const lost = Math.max(0, now.lost - (before?.lost ?? 0));
  const got = Math.max(0, now.packets - (before?.packets ?? 0));
  return lost + got === 0 ? undefined : (lost / (lost + got)) * 100;
}

function roundTrip(records: readonly RtcRecord[]): number | undefined {
  const pair = records.find(
    ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
  );
  const seconds = optional(pair, 'currentRoundTripTime');
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Codec with profile: `H264 42e01f`. */
function findCodec(records: readonly RtcRecord[], track: RtcRecord | undefined): string | undefined {
  const codec = track && records.find(({ id }) => id === track.codecId);
  if (typeof codec?.mimeType !== 'string') return undefined;
  const name = codec.mimeType.replace(/^(audio|video)\//, '');
  const profile = /profile-level-id=([0-9a-f]{6})/i.exec(String(codec.sdpFmtpLine ?? ''))?.[1];
  return profile ? `${name} ${profile}` : name;
}

function sum(records: readonly RtcRecord[], field: string): number {
  return records.reduce((total, record) => total + readNumber(record, field), 0);
}

function readNumber(record: RtcRecord, field: string): number {
  return optional(record, field) ?? 0;
}

function optional(record: RtcRecord | undefined, field: string): number | undefined {
  const value = record?.[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Time of the last RTCP receiver report. */
export function lastReportMs(records: readonly RtcRecord[]): number {
  return Math.max(
    0,
    ...records.filter(({ type }) => type === 'remote-inbound-rtp').map((one) => readNumber(one, 'timestamp')),
  );
}
