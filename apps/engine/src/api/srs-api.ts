import type { ListenerState } from '@weir/engine-api';
import { decodedText } from '@weir/streams';
import type { ClientKind } from '../hub/clients/client-info.ts';
import type { ClientEntry, Clients } from '../hub/clients/clients.ts';
import type { Hub } from '../hub/hub.ts';
import type { PlayerViews } from '../hub/player-views/player-views.ts';
import type { Stream } from '../hub/stream.ts';
import { Machine } from './machine.ts';
import { type Answer, type ApiRequest, readMethods } from './private-api.ts';
import {
  type Audience,
  audiences,
  kbps,
  nobody,
  publicStreams,
  qualityFacts,
  streamFacts,
  streamUrl,
  vhostFacts,
  vhostId,
  wholeMs,
} from './srs-streams.ts';
import { srsVersion } from './srs-version.ts';

/** SRS's names for the roles of clients. RTMP publishers are Flash encoders there. */
const clientType: Record<ClientKind, string> = {
  'rtmp-publish': 'fmle-publish',
  'rtmp-play': 'rtmp-play',
  'rtc-publish': 'rtc-publish',
  'rtc-play': 'rtc-play',
  'srt-publish': 'srt-publish',
  'srt-play': 'srt-play',
  'flv-play': 'flv-play',
  'hls-play': 'hls-play',
  'program-publish': 'program-publish',
};

/** `/api/v1/clients` with additional fields: rates over 5 s, lost frames, and lag. */
function clientFacts(hub: Hub, entry: ClientEntry) {
  const { info, counters, history, transport } = entry;
  const nowMs = Date.now();
  const { bytesIn, bytesOut } = counters;
  const over5 = history.perSecond(5000, nowMs, bytesIn, bytesOut);
  const over30 = history.perSecond(30_000, nowMs, bytesIn, bytesOut);
  return {
    id: info.id,
    vhost: vhostId(info.place.vhost),
    stream: hub.find(info.place)?.id ?? '',
    ip: info.address,
    pageUrl: info.pageUrl,
    swfUrl: '',
    tcUrl: info.tcUrl,
    url: streamUrl(info.place),
    name: info.place.name,
    type: clientType[info.kind],
    publish: info.kind.endsWith('-publish'),
    alive: Math.max(0, nowMs - info.connectedAt.getTime()) / 1000,
    send_bytes: bytesOut,
    recv_bytes: bytesIn,
    dropped_frames: counters.droppedFrames,
    behind_ms: wholeMs(entry.lag?.()),
    slow: entry.isSlow,
    kbps: {
      recv_5s: kbps(over5.in),
      send_5s: kbps(over5.out),
      recv_30s: kbps(over30.in),
      send_30s: kbps(over30.out),
    },
    transport: transport?.() ?? null,
  };
}

/** SRS's codes for missing things, which it sends with status 200. */
const notFound = { vhost: 2014, stream: 2048, client: 2049 };
const wrongMethod: Answer = { status: 405, body: { code: 405, data: { message: 'Method Not Allowed' } } };
/** Default page size of SRS. */
const usualPage = 10;
/** Larger pages than in SRS: the control plane queries all streams, and people read the list of clients. */
const largestPage = { streams: 100_000, clients: 10_000 };

interface Needs {
  readonly hub: Hub;
  readonly playerViews: PlayerViews;
  readonly version: string;
  readonly machine?: Machine;
  readonly listeners: () => readonly ListenerState[];
}

/** SRS's HTTP API `/api/v1/…` with its field names. */
export class SrsApi {
  readonly #hub: Hub;
  readonly #version: string;
  readonly #machine: Machine;
  readonly #playerViews: PlayerViews;
  readonly #listeners: Needs['listeners'];

  constructor({ hub, playerViews, version, machine, listeners }: Needs) {
    this.#hub = hub;
    this.#playerViews = playerViews;
    this.#version = version;
    this.#machine = machine ?? new Machine();
    this.#listeners = listeners;
  }

  /** The answer to a path below `/api/v1/`; undefined when SRS has no such path. */
  answer({ method, path, query }: ApiRequest): Answer | undefined {
    const [area = '', text = '', ...more] = path.replace('/api/v1/', '').split('/');
    const id = decodedText(text);
    const answer = more.length === 0 ? this.#areas.get(area) : undefined;
    if (!answer || id === undefined) return undefined;
    // SRS's console cannot send DELETE: a script element only reads.
    const wanted = readMethods.has(method) && query.get('method') === 'DELETE' ? 'DELETE' : method;
    if (wanted === 'DELETE' && area === 'clients') return this.#kick(id);
    return readMethods.has(wanted) ? answer(id, query) : wrongMethod;
  }

  readonly #areas = new Map<string, (id: string, query: URLSearchParams) => Answer>([
    ['summaries', () => ok({ data: this.#summaries() })],
    ['rusages', () => ok({ data: rusageFacts() })],
    ['self_proc_stats', () => ok({ data: this.#machine.selfStat() })],
    ['system_proc_stats', () => ok({ data: this.#machine.systemStat() })],
    ['meminfos', () => ok({ data: this.#machine.memory() })],
    ['vhosts', (id) => this.#vhosts(id)],
    ['streams', (id, query) => (id === '' ? this.#streams(query) : this.#stream(id))],
    ['clients', (id, query) => (id === '' ? this.#clients(query) : this.#client(id))],
  ]);

  #vhosts(id: string): Answer {
    const vhosts = vhostFacts(this.#hub);
    if (id === '') return ok({ vhosts });
    const vhost = vhosts.find((candidate) => candidate.id === id);
    return vhost ? ok({ vhost }) : failed(notFound.vhost);
  }

  #streams(query: URLSearchParams): Answer {
    const watched = audiences(this.#hub);
    // The first page shows live streams. Each group is in the order its streams started.
    const all = publicStreams(this.#hub);
    const inOrder = [...all.filter(({ isLive }) => isLive), ...all.filter(({ isLive }) => !isLive)];
    const streams = page(inOrder, query, largestPage.streams);
    return ok({ streams: streams.map((stream) => this.#streamFacts(stream, watched.get(stream.key) ?? nobody)) });
  }

  /** Fields of SRS, and ours: viewers by protocol, and which of them get converted media. */
  #streamFacts(stream: Stream, audience: Audience) {
    const { clients, viewers } = audience;
    const states = {
      classic: this.#playerViews.of(stream, 'classic').state(),
      webrtc: this.#playerViews.of(stream, 'webrtc').state(),
    };
    const qualities = qualityFacts(stream, audience);
    return {
      ...streamFacts(stream, clients),
      weir: { bFrames: stream.isReordered, viewers, qualities, renditions: states },
    };
  }

  /** Ports are an addition: ours may be off for a reason, such as a missing library. */
  #summaries() {
    return { ...summaryFacts(this.#machine, this.#hub.clients, this.#version), listeners: this.#listeners() };
  }

  #stream(id: string): Answer {
    const stream = [...this.#hub.all()].find((candidate) => candidate.id === id);
    if (!stream) return failed(notFound.stream);
    return ok({ stream: this.#streamFacts(stream, audiences(this.#hub).get(stream.key) ?? nobody) });
  }

  #clients(query: URLSearchParams): Answer {
    const clients = page(this.#hub.clients.all(), query, largestPage.clients);
    return ok({ clients: clients.map((entry) => clientFacts(this.#hub, entry)) });
  }

  #client(id: string): Answer {
    const entry = this.#hub.clients.get(id);
    return entry ? ok({ client: clientFacts(this.#hub, entry) }) : failed(notFound.client);
  }

  #kick(id: string): Answer {
    const entry = this.#hub.clients.get(id);
    if (!entry) return failed(notFound.client);
    entry.kick('ended by the administrator');
    return ok({});
  }
}

/** SRS treats a count of 0, or an invalid one, as missing. */
function page<T>(items: Iterable<T>, query: URLSearchParams, largest: number): T[] {
  const start = wholeNumber(query.get('start'), 0);
  const count = Math.min(largest, wholeNumber(query.get('count'), usualPage) || usualPage);
  return [...items].slice(start, start + count);
}

function wholeNumber(text: string | null, fallback: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : fallback;
}

function ok(body: Record<string, unknown>): Answer {
  return { status: 200, body: { code: 0, ...body } };
}

function failed(code: number): Answer {
  return { status: 200, body: { code } };
}

/** `/api/v1/rusages`: getrusage(2) of this process. */
function rusageFacts() {
  const usage = process.resourceUsage();
  return {
    ok: true,
    sample_time: Date.now(),
    ru_utime: Math.floor(usage.userCPUTime / 1e6),
    ru_stime: Math.floor(usage.systemCPUTime / 1e6),
    ru_maxrss: usage.maxRSS,
    ru_ixrss: usage.sharedMemorySize,
    ru_idrss: usage.unsharedDataSize,
    ru_isrss: usage.unsharedStackSize,
    ru_minflt: usage.minorPageFault,
    ru_majflt: usage.majorPageFault,
    ru_nswap: usage.swappedOut,
    ru_inblock: usage.fsRead,
    ru_oublock: usage.fsWrite,
    ru_msgsnd: usage.ipcSent,
    ru_msgrcv: usage.ipcReceived,
    ru_nsignals: usage.signalsCount,
    ru_nvcsw: usage.voluntaryContextSwitches,
    ru_nivcsw: usage.involuntaryContextSwitches,
  };
}

/** `/api/v1/summaries`: the process and the machine at a glance. */
function summaryFacts(machine: Machine, clients: Clients, version: string) {
  const load = machine.load();
  const memory = machine.memory();
  const rssKb = Math.round(process.memoryUsage.rss() / 1024);
  const { bytesIn, bytesOut } = clients.totals();
  return {
    ok: memory.ok,
    now_ms: Date.now(),
    self: {
      version: srsVersion.version,
      weir: version,
      pid: process.pid,
      ppid: process.ppid,
      argv: process.argv.join(' '),
      cwd: process.cwd(),
      mem_kbyte: rssKb,
      mem_percent: memory.MemTotal > 0 ? rssKb / memory.MemTotal : 0,
      cpu_percent: load.selfPercent,
      srs_uptime: Math.floor(process.uptime()),
    },
    system: {
      cpu_percent: load.systemPercent,
      disk_read_KBps: load.readKbPerSecond,
      disk_write_KBps: load.writeKbPerSecond,
      disk_busy_percent: load.diskBusy,
      mem_ram_kbyte: memory.MemTotal,
      mem_ram_percent: memory.percent_ram,
      mem_swap_kbyte: memory.SwapTotal,
      mem_swap_percent: memory.percent_swap,
      ...machine.platform(),
      ...machine.network(),
      srs_sample_time: Date.now(),
      srs_recv_bytes: bytesIn,
      srs_send_bytes: bytesOut,
      conn_srs: clients.size,
    },
  };
}
