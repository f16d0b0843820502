import { defaultVhost, type TrackConfig } from '@weir/media';
import { scrub } from '@weir/plane';
import type { ListenerState } from '../front-door/listener.ts';
import type { ClientKind } from '../hub/client-info.ts';
import type { ClientEntry } from '../hub/clients.ts';
import type { Hub } from '../hub/hub.ts';
import type { Renditions } from '../hub/renditions/renditions.ts';
import type { Stream } from '../hub/stream.ts';
import { streamKey } from '../hub/stream-key.ts';
import type { Answer, ApiRequest } from './private-api.ts';
import { systemFacts } from './system-facts.ts';

/** SRS's own number for "no such client". */
const clientNotFound = 2049;
const streamNotFound = 2048;
const usualPage = 10;
const largestPage = 10_000;

interface Needs {
  readonly hub: Hub;
  readonly renditions: Renditions;
  readonly version: string;
  readonly listeners: () => readonly ListenerState[];
}

/** What SRS tells about itself over HTTP, in its field names: `/api/v1/…`. */
export class SrsApi {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** The answer to a path below `/api/v1/`; undefined when SRS has no such path. */
  answer({ method, path, query }: ApiRequest): Answer | undefined {
    const [area = '', id = ''] = path.replace('/api/v1/', '').split('/');
    switch (area) {
      case 'summaries':
        return ok({ data: this.#summaries() });
      case 'self_proc_stats':
      case 'rusages':
        return ok({ data: { ...process.resourceUsage() } });
      case 'system_proc_stats':
      case 'meminfos':
        return ok({ data: systemFacts(this.#needs.version, this.#needs.hub.clients.size).system });
      case 'vhosts':
        return ok({ vhosts: this.#vhosts().filter((vhost) => id === '' || vhost.id === id) });
      case 'streams':
        return id === '' ? ok({ streams: this.#streams(query) }) : this.#stream(id);
      case 'clients':
        return this.#clients(method === 'DELETE' || query.get('method') === 'DELETE', id, query);
      default:
        return undefined;
    }
  }

  /** SRS does not tell its ports here; ours may be off for a reason, such as a missing library. */
  #summaries() {
    const { version, hub, listeners } = this.#needs;
    return { ...systemFacts(version, hub.clients.size), listeners: listeners() };
  }

  #streams(query: URLSearchParams) {
    const counts = this.#countClients();
    return page([...this.#needs.hub.all()], query).map((stream) =>
      this.#streamFacts(stream, counts.get(stream.key) ?? 0),
    );
  }

  /** What SRS tells, and what only Weir has: which viewers get something converted. */
  #streamFacts(stream: Stream, clients: number) {
    const { renditions } = this.#needs;
    const states = {
      classic: renditions.of(stream, 'classic').state(),
      webrtc: renditions.of(stream, 'webrtc').state(),
    };
    return { ...streamFacts(stream, clients), weir: { bFrames: stream.isReordered, renditions: states } };
  }

  #countClients(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { info } of this.#needs.hub.clients.all()) {
      const key = streamKey(info.place);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  #stream(id: string): Answer {
    const stream = [...this.#needs.hub.all()].find((candidate) => candidate.id === id);
    return stream
      ? ok({ stream: this.#streamFacts(stream, this.#countClients().get(stream.key) ?? 0) })
      : { status: 200, body: { code: streamNotFound } };
  }

  #clients(isDelete: boolean, id: string, query: URLSearchParams): Answer {
    const { clients } = this.#needs.hub;
    if (id === '') return ok({ clients: page([...clients.all()], query).map((entry) => this.#clientFacts(entry)) });
    const entry = clients.get(id);
    if (!entry) return { status: 200, body: { code: clientNotFound } };
    if (!isDelete) return ok({ client: this.#clientFacts(entry) });
    entry.kick('ended by the administrator');
    return ok({});
  }

  #clientFacts({ info, counters, transport }: ClientEntry) {
    const aliveSeconds = Math.max(0.001, (Date.now() - info.connectedAt.getTime()) / 1000);
    const kbps = (bytes: number) => Math.round((bytes * 8) / aliveSeconds / 1000);
    return {
      id: info.id,
      vhost: vhostId(info.place.vhost),
      stream: this.#needs.hub.find(info.place)?.id ?? '',
      ip: info.address,
      pageUrl: info.pageUrl,
      swfUrl: '',
      tcUrl: info.tcUrl,
      url: `/${info.place.app}/${info.place.name}`,
      name: info.place.name,
      type: clientType[info.kind],
      publish: info.kind.endsWith('-publish'),
      alive: aliveSeconds,
      send_bytes: counters.bytesOut,
      recv_bytes: counters.bytesIn,
      dropped_frames: counters.droppedFrames,
      kbps: { recv_30s: kbps(counters.bytesIn), send_30s: kbps(counters.bytesOut) },
      transport: transport?.() ?? null,
    };
  }

  #vhosts() {
    const streams = [...this.#needs.hub.all()];
    const names = new Set([defaultVhost, ...streams.map(({ place }) => place.vhost)]);
    return [...names].map((name) => {
      const own = streams.filter(({ place }) => place.vhost === name);
      const sum = (pick: (stream: Stream) => number) => own.reduce((total, stream) => total + pick(stream), 0);
      return {
        id: vhostId(name),
        name,
        enabled: true,
        clients: [...this.#needs.hub.clients.all()].filter(({ info }) => info.place.vhost === name).length,
        streams: own.length,
        send_bytes: sum(({ stats }) => stats.bytesOut.total),
        recv_bytes: sum(({ stats }) => stats.bytesIn.total),
        kbps: {
          recv_30s: sum(({ stats }) => kbpsOf(stats.bytesIn.perSecond(30))),
          send_30s: sum(({ stats }) => kbpsOf(stats.bytesOut.perSecond(30))),
        },
        hls: { enabled: true },
      };
    });
  }
}

const clientType: Record<ClientKind, string> = {
  'rtmp-publish': 'fmle-publish',
  'rtmp-play': 'rtmp-play',
  'rtc-publish': 'rtc-publish',
  'rtc-play': 'rtc-play',
  'srt-publish': 'srt-publish',
  'srt-play': 'srt-play',
  'flv-play': 'flv-play',
  'hls-play': 'hls-play',
};

function streamFacts(stream: Stream, clients: number) {
  const { stats, place, publisher, publishedAt } = stream;
  return {
    id: stream.id,
    name: place.name,
    vhost: vhostId(place.vhost),
    vhostName: place.vhost,
    app: place.app,
    tcUrl: publisher?.info.tcUrl ?? '',
    url: `/${place.app}/${place.name}`,
    live_ms: publishedAt?.getTime() ?? 0,
    clients,
    frames: stats.frames,
    send_bytes: stats.bytesOut.total,
    recv_bytes: stats.bytesIn.total,
    kbps: {
      recv_5s: kbpsOf(stats.bytesIn.perSecond(5)),
      recv_30s: kbpsOf(stats.bytesIn.perSecond(30)),
      send_30s: kbpsOf(stats.bytesOut.perSecond(30)),
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

function trackFacts(config: TrackConfig | undefined) {
  if (!config) return null;
  const codec = config.codec.toUpperCase();
  if (config.kind === 'audio') {
    return { codec, sample_rate: config.sampleRate, channel: config.channels, profile: config.profile };
  }
  const { profile, level, width, height, fps } = config;
  return { codec, profile, level, width, height, fps };
}

/** Vhosts have ids in SRS; ours are made of the name, so that they stay the same. */
function vhostId(name: string): string {
  return `vid-${Buffer.from(name).toString('hex').slice(0, 16)}`;
}

function kbpsOf(bytesPerSecond: number): number {
  return Math.round((bytesPerSecond * 8) / 1000);
}

function page<T>(items: readonly T[], query: URLSearchParams): readonly T[] {
  const start = wholeNumber(query.get('start'), 0);
  const count = Math.min(largestPage, Math.max(1, wholeNumber(query.get('count'), usualPage)));
  return items.slice(start, start + count);
}

function wholeNumber(text: string | null, fallback: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : fallback;
}

function ok(body: Record<string, unknown>): Answer {
  return { status: 200, body: { code: 0, ...body } };
}
