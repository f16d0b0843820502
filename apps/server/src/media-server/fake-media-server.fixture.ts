import type { IncomingMessage } from 'node:http';
import type { EnginePart } from '@weir/contract';
import type {
  EngineHealth,
  EngineSamples,
  EngineServerSamples,
  EngineSettings,
  EngineStreamSamples,
  InputSample,
  LadderStatus,
  LinkViewers,
  ProgramFault,
  ProgramStatus,
} from '@weir/engine-api';
import { type Cue, placeText, type SubtitleTrack, sampleSpans, type WirePlace } from '@weir/streams';
import { WeirError } from '../core/errors.ts';
import type { PublishedStream } from '../core/events.ts';
import type { LiveStream, MediaServer } from './media-server.ts';

/** An engine in memory. `isAway` makes every call fail, as while it restarts. */
export class FakeMediaServer implements MediaServer {
  isAway: boolean;
  lacks: readonly EnginePart[] = [];
  linksInUse: LinkViewers['links'] = [];
  startedAt = '2026-01-01T00:00:00.000Z';
  live: LiveStream[] = [];
  listeners: EngineHealth['listeners'] = [];
  workerExits: EngineHealth['workerExits'] = [];
  samples: EngineSamples = { server: { at: [], columns: {} }, streams: [] };
  details = new Map<string, EngineStreamSamples>();
  /** By `vhost/app/stream`, of inputs of a program with `#input` behind it. */
  keyframes = new Map<string, Buffer>();
  readonly kicked: string[] = [];
  running: ProgramStatus[] = [];
  made: LadderStatus[] = [];
  /** By `vhost/app/stream#input`. */
  inputSamples = new Map<string, InputSample>();
  readonly faults: string[] = [];
  /** Inputs that were switched to. */
  readonly switched: string[] = [];
  readonly applied: EngineSettings[] = [];
  /** By `vhost/app/stream`. */
  readonly tracks = new Map<string, readonly SubtitleTrack[]>();
  readonly cues: { readonly place: string; readonly language: string; readonly cues: readonly Cue[] }[] = [];

  constructor({ isAway = false }: { isAway?: boolean } = {}) {
    this.isAway = isAway;
  }

  async health(): Promise<EngineHealth> {
    this.#assertThere();
    return { startedAt: this.startedAt, listeners: this.listeners, srtVersion: '1.5.1', workerExits: this.workerExits };
  }

  api(): Promise<IncomingMessage> {
    return Promise.reject(new WeirError('engine_unreachable', 'the media engine is not responding'));
  }

  async streams(): Promise<LiveStream[]> {
    this.#assertThere();
    return [...this.live];
  }

  async latestSamples(): Promise<EngineSamples> {
    this.#assertThere();
    return this.samples;
  }

  async minutes(sinceMs: number): Promise<EngineSamples> {
    this.#assertThere();
    return this.#after(sinceMs, sampleSpans.page);
  }

  async recentSamples(sinceMs: number): Promise<EngineSamples> {
    this.#assertThere();
    return this.#after(sinceMs, sampleSpans.recentPage);
  }

  async detail(place: WirePlace): Promise<EngineStreamSamples | undefined> {
    this.#assertThere();
    return this.details.get(placeText(place));
  }

  async keyframe(place: WirePlace, input = ''): Promise<Buffer | undefined> {
    this.#assertThere();
    return this.keyframes.get(input === '' ? placeText(place) : `${placeText(place)}#${input}`);
  }

  async serverDetail(): Promise<EngineServerSamples> {
    this.#assertThere();
    return { seconds: this.samples.server };
  }

  async kick(clientId: string): Promise<boolean> {
    this.#assertThere();
    this.kicked.push(clientId);
    const before = this.live.length;
    this.live = this.live.filter((stream) => stream.clientId !== clientId);
    return this.live.length < before;
  }

  async applySettings(settings: EngineSettings): Promise<void> {
    this.#assertThere();
    this.applied.push(settings);
  }

  async linkViewers(): Promise<LinkViewers> {
    this.#assertThere();
    return { links: this.linksInUse };
  }

  async ladders(): Promise<readonly LadderStatus[]> {
    this.#assertThere();
    return this.made;
  }

  async programs(): Promise<readonly ProgramStatus[]> {
    this.#assertThere();
    return this.running;
  }

  async switchProgram(place: WirePlace, input: string): Promise<string | undefined> {
    this.#assertThere();
    if (!this.running.some((one) => placeText(one) === placeText(place))) return undefined;
    this.switched.push(input);
    return '';
  }

  async rehearseProgram(place: WirePlace, input: string): Promise<boolean> {
    this.#assertThere();
    return this.running.some((one) => placeText(one) === placeText(place) && one.onAir === input);
  }

  async inputSample(place: WirePlace, input: string): Promise<InputSample | undefined> {
    this.#assertThere();
    return this.inputSamples.get(`${placeText(place)}#${input}`);
  }

  async setInputFault(_place: WirePlace, input: string, fault: ProgramFault): Promise<boolean> {
    this.#assertThere();
    this.faults.push(`${input} ${fault}`);
    return true;
  }

  async setSubtitleTracks(place: WirePlace, tracks: readonly SubtitleTrack[]): Promise<boolean> {
    this.#assertThere();
    if (!this.#isLive(place)) return false;
    this.tracks.set(placeText(place), tracks);
    return true;
  }

  async addCues(place: WirePlace, language: string, cues: readonly Cue[]): Promise<boolean> {
    this.#assertThere();
    const tracks = this.tracks.get(placeText(place)) ?? [];
    if (!this.#isLive(place) || !tracks.some((track) => track.language === language)) return false;
    this.cues.push({ place: placeText(place), language, cues });
    return true;
  }

  #after(sinceMs: number, most: number): EngineSamples {
    const newer = ({ at, columns }: EngineSamples['server']) => {
      const from = at.findIndex((each) => each > sinceMs);
      const rows = <T>(list: readonly T[]) => (from < 0 ? [] : list.slice(from, from + most));
      return {
        at: rows(at),
        columns: Object.fromEntries(Object.entries(columns).map(([name, list]) => [name, rows(list)])),
      };
    };
    const streams = this.samples.streams.map((each) => ({ ...each, samples: newer(each.samples) }));
    return { server: newer(this.samples.server), streams };
  }

  #isLive({ vhost, app, stream }: WirePlace): boolean {
    return this.live.some((live) => live.vhost === vhost && live.app === app && live.name === stream);
  }

  #assertThere(): void {
    if (this.isAway) throw new WeirError('engine_unreachable', 'the media engine is not responding');
  }
}

export function liveStream(facts: Partial<LiveStream> = {}): LiveStream {
  return {
    vhost: '__defaultVhost__',
    app: 'live',
    name: 'show',
    serverId: 'vid-1',
    clientId: 'c1',
    param: '',
    publishedAt: '2026-01-01T00:00:00.000Z',
    ...facts,
  };
}

/** Event payload of a stream published now by a new client. */
export function published(stream: string): PublishedStream {
  const place = { vhost: '__defaultVhost__', app: 'live', stream, param: '', serverId: 's' };
  return { ...place, clientId: `c-${stream}`, publishedAt: new Date().toISOString() };
}
