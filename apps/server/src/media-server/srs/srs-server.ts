import type { IncomingMessage } from 'node:http';
import type { Listener } from '@weir/contract';
import { defaultVhost } from '@weir/dialect';
import type { Config } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { EngineLine } from '../engine-line.ts';
import { kickClient } from '../kick-client.ts';
import type { EngineHealth, EngineSamples, EngineServerDetail, LiveStream, MediaServer } from '../media-server.ts';
import { HealthAnswer, liveStreamsOf, StreamsAnswer } from '../srs-answers.ts';
import { ClientAnswer, FeaturesAnswer, SummariesAnswer, VersionsAnswer, VhostsAnswer } from './srs-own-answers.ts';

/** Without it SRS answers with the first ten. */
const all = '?start=0&count=100000';
/** Publishers that are remembered after they have left, because a list may be late. */
const mostPublishers = 10_000;
const nothing: EngineSamples = { server: { at: [], columns: {} }, streams: [] };

interface Context {
  readonly config: Pick<Config, 'rtmp' | 'srt' | 'rtc'>;
  /** SRS's API. */
  readonly line: EngineLine;
  /** The process with our own HTTP ports. */
  readonly frontDoor: EngineLine;
  readonly clock: Clock;
}

/** One run of SRS. */
interface Run {
  readonly service: string;
  readonly startedAt: string;
  readonly hasSrt: boolean;
  readonly hasRtc: boolean;
}

interface Publisher {
  readonly since: string;
  readonly address: string;
  readonly protocol: string;
}

/** A separate SRS, by its HTTP API. */
export class SrsServer implements MediaServer {
  readonly lacks = ['hls-settings', 'subtitles', 'measurements', 'thumbnails'] as const;
  readonly #context: Context;
  readonly #vhosts = new Map<string, string>();
  /** By client id. SRS tells how long ago a client came, not when: asked once, so that the moment does not move. */
  readonly #publishers = new Map<string, Publisher>();
  #run: Run | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  async health(): Promise<EngineHealth> {
    const { line, frontDoor, config } = this.#context;
    const { service } = await line.ask(VersionsAnswer, 'GET', '/api/v1/versions');
    if (this.#run?.service !== service) this.#run = await this.#lookAt(service);
    const { startedAt, hasSrt, hasRtc } = this.#run;
    const own = await frontDoor.ask(HealthAnswer, 'GET', '/weir/v1/health').catch(() => undefined);
    const listener = (protocol: Listener['protocol'], port: number): Listener => ({
      ...{ protocol, port, ready: true, note: '' },
    });
    return {
      startedAt,
      srtVersion: '',
      listeners: [
        ...(own?.data.listeners ?? []),
        listener('rtmp', config.rtmp.port),
        ...(hasSrt ? [listener('srt', config.srt.port)] : []),
        ...(hasRtc ? [listener('rtc', config.rtc.port)] : []),
      ],
    };
  }

  /** Lists are at addresses that end in a slash, and whoever leaves that out is sent there. */
  async api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    const { line } = this.#context;
    const answer = await line.request(method, path, body);
    const { location = '' } = answer.headers;
    if (answer.statusCode !== 302 || !location.startsWith('/api/')) return answer;
    answer.resume();
    const query = path.includes('?') && !location.includes('?') ? path.slice(path.indexOf('?')) : '';
    return line.request(method, `${location}${query}`, body);
  }

  async streams(): Promise<LiveStream[]> {
    const answer = await this.#context.line.ask(StreamsAnswer, 'GET', `/api/v1/streams/${all}`);
    const live = answer.streams.filter(({ publish }) => publish.active && publish.cid !== '');
    if (live.some(({ vhost }) => !this.#vhosts.has(vhost))) await this.#learnVhosts();
    const streams = await Promise.all(
      live.map(async (stream) => {
        const { since, address, protocol } = await this.#publisher(stream.publish.cid);
        return {
          ...stream,
          // Its `name` has an ending when a player came before the publisher.
          name: stream.url.split('/').pop() || stream.name,
          vhostName: this.#vhosts.get(stream.vhost) ?? defaultVhost,
          publish: { ...stream.publish, since, address, protocol },
        };
      }),
    );
    return liveStreamsOf({ ...answer, streams });
  }

  kick(clientId: string): Promise<boolean> {
    return kickClient(this.#context.line, clientId);
  }

  /** All of them are in its configuration; and of its own log, secrets cannot be kept out. */
  async applySettings(): Promise<void> {}

  async setSubtitleTracks(): Promise<boolean> {
    return false;
  }

  async addCues(): Promise<boolean> {
    return false;
  }

  async latestSamples(): Promise<EngineSamples> {
    return nothing;
  }

  async recentSamples(): Promise<EngineSamples> {
    return nothing;
  }

  async minutes(): Promise<EngineSamples> {
    return nothing;
  }

  async detail(): Promise<undefined> {
    return undefined;
  }

  async keyframe(): Promise<undefined> {
    return undefined;
  }

  async serverDetail(): Promise<EngineServerDetail> {
    return { seconds: nothing.server };
  }

  async #lookAt(service: string): Promise<Run> {
    const { line, clock } = this.#context;
    const [{ data }, features] = await Promise.all([
      line.ask(SummariesAnswer, 'GET', '/api/v1/summaries'),
      line.ask(FeaturesAnswer, 'GET', '/api/v1/features'),
    ]);
    const startedAt = new Date(clock.dateMs() - data.self.srs_uptime * 1000).toISOString();
    const built = `${features.data.options2} `;
    return { service, startedAt, hasSrt: built.includes('--srt=on '), hasRtc: built.includes('--rtc=on ') };
  }

  async #learnVhosts(): Promise<void> {
    const { vhosts } = await this.#context.line.ask(VhostsAnswer, 'GET', `/api/v1/vhosts/${all}`);
    this.#vhosts.clear();
    for (const { id, name } of vhosts) this.#vhosts.set(id, name);
  }

  async #publisher(clientId: string): Promise<Publisher> {
    const known = this.#publishers.get(clientId);
    if (known) return known;
    const { line, clock } = this.#context;
    const { client } = await line.ask(ClientAnswer, 'GET', `/api/v1/clients/${encodeURIComponent(clientId)}`);
    const found: Publisher = {
      since: new Date(clock.dateMs() - (client?.alive ?? 0) * 1000).toISOString(),
      address: client?.ip ?? '',
      protocol: protocolOf(client?.type ?? ''),
    };
    // One that has left meanwhile is asked for again, should it still be listed.
    if (client) this.#publishers.set(clientId, found);
    for (const oldest of this.#publishers.keys()) {
      if (this.#publishers.size <= mostPublishers) break;
      this.#publishers.delete(oldest);
    }
    return found;
  }
}

/** `fmle-publish`, `flash-publish` and `haivision-publish` are encoders' dialects of RTMP. */
function protocolOf(type: string): string {
  if (type === '') return '';
  return type.startsWith('srt-') || type.startsWith('rtc-') ? type : 'rtmp-publish';
}
