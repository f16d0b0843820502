import {
  type SampleTable,
  type ServerSampleField,
  type StreamSampleField,
  serverSampleFields,
  streamSampleFields,
} from '@weir/streams';
import type { ServerFacts, StreamFacts } from './facts.ts';

export const nowMs = Date.UTC(2026, 5, 1, 12);

type Columns<Field extends string> = Partial<Record<Field, number | null | ((second: number) => number | null)>>;

function table<Field extends string>(
  fields: readonly Field[],
  columns: Columns<Field>,
  seconds: number,
): SampleTable<Field> {
  const at = Array.from({ length: seconds }, (_, second) => nowMs - (seconds - second) * 1000);
  const values = (field: Field) =>
    at.map((_, second) => {
      const column = columns[field] ?? null;
      return typeof column === 'function' ? column(second) : column;
    });
  return { at, columns: Object.fromEntries(fields.map((field) => [field, values(field)])) as Record<Field, number[]> };
}

/** 1080p30 at 4.5 Mbit/s with a keyframe every two seconds and twelve viewers; a little uneven, as real ones are. */
export function streamSamples(columns: Columns<StreamSampleField> = {}, seconds = 120) {
  const healthy: Columns<StreamSampleField> = {
    inKbps: (second) => 4500 + (second % 2 === 0 ? 600 : -600),
    outKbps: 54_000,
    audioKbps: 160,
    fps: 30,
    keyframeMs: 2000,
    pace: (second) => (second % 5 === 0 ? 0.9 : 1.025),
    avOffsetMs: (second) => (second % 3) * 20,
    jumps: 0,
    dropped: 0,
    silence: 0,
    rttMs: null,
    lossPercent: null,
    viewerRttMs: 40,
    viewerLossPercent: 0.2,
    slow: 0,
    behindMs: 0,
    rtc: 2,
    flv: 3,
    hls: 5,
    rtmp: 1,
    srt: 1,
  };
  return table(streamSampleFields, { ...healthy, ...columns }, seconds);
}

type Media = NonNullable<StreamFacts['media']>;

export function streamFacts(facts: Partial<StreamFacts> = {}, media: Partial<Media> = {}): StreamFacts {
  return {
    nowMs,
    publishedAtMs: nowMs - 120_000,
    announcedFps: 30,
    isSilenceWanted: false,
    publishedMs: [nowMs - 120_000],
    media: {
      protocol: 'rtmp',
      address: '192.0.2.1',
      viewers: 12,
      kbps: 4500,
      fps: 30,
      bFrames: false,
      video: { codec: 'H264', profile: 'High', width: 1920, height: 1080 },
      audio: { codec: 'AAC', sampleRate: 48_000, channels: 2 },
      webrtc: { video: 'direct', audio: 'converted', reason: '' },
      ...media,
    },
    ...facts,
  };
}

export function serverSamples(columns: Columns<ServerSampleField> = {}, seconds = 120) {
  const healthy: Columns<ServerSampleField> = {
    inKbps: 4500,
    outKbps: 54_000,
    streams: 1,
    dropped: 0,
    rtc: 2,
    flv: 3,
    hls: 5,
    rtmp: 1,
    srt: 1,
    cpu: (second) => (second % 10 === 0 ? 0.95 : 0.4),
    engineCpu: 0.2,
    memory: 0.6,
  };
  return table(serverSampleFields, { ...healthy, ...columns }, seconds);
}

type Health = ServerFacts['health'];

export function serverFacts(facts: Partial<ServerFacts> = {}, health: Partial<Health> = {}): ServerFacts {
  const listener = (protocol: 'http' | 'https' | 'rtmp' | 'rtc' | 'srt', port: number) => ({
    protocol,
    port,
    ready: true,
    note: '' as const,
  });
  return {
    nowMs,
    alerts: [],
    ffmpeg: 'there',
    openFiles: { used: 120, most: 1024 },
    diskBytesPerDay: 2e9,
    newestKeptMs: nowMs - 60_000,
    lacksCandidate: false,
    isSelfSigned: false,
    isHttpsElsewhere: false,
    health: {
      store: { ok: true },
      engine: {
        ok: true,
        startedAt: '2026-05-01T00:00:00.000Z',
        listeners: [listener('http', 2022), listener('https', 2443), listener('rtmp', 1935), listener('srt', 10_080)],
      },
      disk: { ok: true, freeBytes: 400e9, totalBytes: 500e9 },
      certificate: { subject: 'CN=a', issuer: 'CN=b', expireAt: '2026-09-01T00:00:00.000Z', isEnding: false },
      ...health,
    },
    ...facts,
  };
}

export function alert(kind: ServerFacts['alerts'][number]['kind'], cause = ''): ServerFacts['alerts'][number] {
  const place = { page: 'scenario' as const, tab: 'forward', child: '' };
  return {
    kind,
    severity: 'bad',
    since: new Date(nowMs - 90_000).toISOString(),
    count: 3,
    place,
    subject: 'bilibili',
    label: '',
    cause,
  };
}
