import { createHash } from 'node:crypto';
import type { TrackConfig } from '@weir/media';
import { scrub } from '@weir/plane';
import { defaultVhost, type StreamPlace, streamKey } from '@weir/streams';
import { countsAsViewer } from '../hub/clients/client-info.ts';
import type { ClientEntry } from '../hub/clients/clients.ts';
import type { Hub } from '../hub/hub.ts';
import { isInputPlace } from '../hub/program/input-place.ts';
import type { Stream } from '../hub/stream.ts';

/** `/api/v1/streams` with additional fields: `fps`, `keyframe_ms`, rates over 5 s. */
export function streamFacts(stream: Stream, clients: number) {
  const { stats, place, publisher, publishedAt } = stream;
  return {
    id: stream.id,
    name: place.name,
    vhost: vhostId(place.vhost),
    vhostName: place.vhost,
    app: place.app,
    tcUrl: publisher?.info.tcUrl ?? '',
    url: streamUrl(place),
    live_ms: Date.now(),
    clients,
    frames: stats.frames,
    send_bytes: stats.bytesOut.total,
    recv_bytes: stats.bytesIn.total,
    kbps: {
      recv_5s: kbps(stats.bytesIn.perSecond(5)),
      send_5s: kbps(stats.bytesOut.perSecond(5)),
      recv_30s: kbps(stats.bytesIn.perSecond(30)),
      send_30s: kbps(stats.bytesOut.perSecond(30)),
    },
    fps: Math.round(stats.videoFrames.perSecond(5) * 10) / 10,
    keyframe_ms: Math.round(stats.keyframeIntervalMs),
    publish: {
      active: publisher !== undefined,
      cid: publisher?.info.id ?? '',
      since: publishedAt?.toISOString() ?? '',
      address: publisher?.info.address ?? '',
      param: scrub(publisher?.info.param ?? ''),
      protocol: publisher?.info.kind ?? '',
    },
    video: trackFacts(stream.video),
    audio: trackFacts(stream.audio),
  };
}

/** Viewers by protocol. */
type ViewerCounts = Record<'rtmp' | 'flv' | 'hls' | 'rtc' | 'srt', number>;

export interface Audience {
  /** Publisher and players, as SRS counts. */
  readonly clients: number;
  readonly viewers: ViewerCounts;
  /** Viewers of each lower quality, by its name. */
  readonly byQuality: ReadonlyMap<string, number>;
}

export const nobody: Audience = {
  clients: 0,
  viewers: { rtmp: 0, flv: 0, hls: 0, rtc: 0, srt: 0 },
  byQuality: new Map(),
};

/** Publisher and players of each stream by key, without our own programs and the console's preview. */
export function audiences({ clients }: Hub): Map<string, Audience> {
  const found = new Map<string, { clients: number; viewers: ViewerCounts; byQuality: Map<string, number> }>();
  for (const entry of clients.all()) {
    const { info } = entry;
    if (info.isOwn || info.isPreview || info.input !== undefined) continue;
    const key = streamKey(info.place);
    const audience = found.get(key) ?? { clients: 0, viewers: { ...nobody.viewers }, byQuality: new Map() };
    found.set(key, audience);
    audience.clients += 1;
    if (!countsAsViewer(info)) continue;
    audience.viewers[info.kind.split('-')[0] as keyof ViewerCounts] += 1;
    const quality = qualityOf(entry);
    if (quality !== undefined) audience.byQuality.set(quality, (audience.byQuality.get(quality) ?? 0) + 1);
  }
  return found;
}

/** WebRTC workers choose the qualities of their viewers and report them. */
function qualityOf({ quality, transport }: ClientEntry): string | undefined {
  const lines = quality === undefined ? transport?.(true)?.qualityLines : undefined;
  return quality ?? (lines === undefined ? undefined : `${lines}p`);
}

/** Qualities with their viewers, best first; empty where there is one. */
export function qualityFacts({ qualities, video, stats }: Stream, { viewers, byQuality }: Audience) {
  const { offered, leadName } = qualities;
  if (offered.length === 0 || leadName === undefined || !video) return [];
  const lower = offered.map((quality) => ({
    name: quality.name,
    width: quality.video.width,
    height: quality.video.height,
    kbps: Math.round(quality.kbps),
    viewers: byQuality.get(quality.name) ?? 0,
  }));
  const all = Object.values(viewers).reduce((sum, count) => sum + count, 0);
  const best = all - lower.reduce((sum, quality) => sum + quality.viewers, 0);
  const { width, height } = video;
  return [
    { name: leadName, width, height, kbps: kbps(stats.bytesIn.perSecond(5)), viewers: Math.max(0, best) },
    ...lower,
  ];
}

/** Streams without the inputs of programs, which are internal. */
export function publicStreams(hub: Hub): Stream[] {
  return [...hub.all()].filter(({ place }) => !isInputPlace(place));
}

/** `/api/v1/vhosts`: the default one is always there, others while they have a stream. */
export function vhostFacts(hub: Hub) {
  const streams = publicStreams(hub);
  const names = new Set([defaultVhost, ...streams.map(({ place }) => place.vhost)]);
  return [...names].map((name) => {
    const own = streams.filter(({ place }) => place.vhost === name);
    const sum = (pick: (stats: Stream['stats']) => number) => own.reduce((total, { stats }) => total + pick(stats), 0);
    return {
      id: vhostId(name),
      name,
      enabled: true,
      clients: [...hub.clients.all()].filter(({ info }) => info.place.vhost === name).length,
      streams: own.length,
      send_bytes: sum(({ bytesOut }) => bytesOut.total),
      recv_bytes: sum(({ bytesIn }) => bytesIn.total),
      kbps: {
        recv_30s: sum(({ bytesIn }) => kbps(bytesIn.perSecond(30))),
        send_30s: sum(({ bytesOut }) => kbps(bytesOut.perSecond(30))),
      },
      hls: { enabled: true },
    };
  });
}

/** Vhosts have ids in SRS. Ours derive from the name, which keeps them stable. Most streams share the vhost of the previous row. */
export function vhostId(name: string): string {
  if (lastVhost.name !== name) {
    lastVhost = { name, id: `vid-${createHash('sha256').update(name).digest('hex').slice(0, 16)}` };
  }
  return lastVhost.id;
}

let lastVhost = { name: '', id: '' };

/** SRS leaves out the default vhost. */
export function streamUrl({ vhost, app, name }: StreamPlace): string {
  return `${vhost === defaultVhost ? '' : vhost}/${app}/${name}`;
}

export function kbps(bytesPerSecond: number): number {
  return Math.round((bytesPerSecond * 8) / 1000);
}

/** Null where it is not known. */
export function wholeMs(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}

function trackFacts(config: TrackConfig | undefined) {
  if (!config) return null;
  const codec = config.codec.toUpperCase();
  if (config.kind === 'audio') {
    return { codec, sample_rate: config.sampleRate, channel: config.channels, profile: config.profile };
  }
  const { profile, level, width, height, fps } = config;
  return { codec, profile, level, width, height, fps };
}
