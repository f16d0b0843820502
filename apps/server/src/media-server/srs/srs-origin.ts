import type { IncomingMessage } from 'node:http';
import { defaultVhost } from '@weir/streams';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { EngineClient } from '../engine-client.ts';
import { kickClient } from '../kick-client.ts';
import type { LiveStream } from '../media-server.ts';
import { StreamsAnswer, toLiveStreams } from '../srs-answers.ts';

/** `service` is another one in each run of SRS. */
const VersionsAnswer = z.object({ code: z.literal(0), service: z.string() });

const SummariesAnswer = z.object({
  data: z.object({ self: z.object({ srs_uptime: z.number() }) }),
});

/** `options2`: what it was built with, such as `--srt=on`. */
const FeaturesAnswer = z.object({ data: z.object({ options2: z.string().default('') }) });

const VhostsAnswer = z.object({
  code: z.literal(0),
  vhosts: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** `client` is absent for an unknown id. `alive`: seconds since it connected. */
const ClientAnswer = z.object({
  client: z.object({ ip: z.string(), type: z.string(), alive: z.number() }).optional(),
});

/** Without this parameter SRS returns only ten entries. */
const all = '?start=0&count=100000';
/** Publishers that are remembered after they have left, because a list may be late. */
const mostPublishers = 10_000;

/** Process run of SRS. */
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

/** Client of one SRS process's HTTP API. */
export class SrsOrigin {
  readonly #line: EngineClient;
  readonly #clock: Clock;
  readonly #vhosts = new Map<string, string>();
  /** By client id. SRS tells how long ago a client came, not when: asked once, so that the moment does not move. */
  readonly #publishers = new Map<string, Publisher>();
  #run: Run | undefined;

  constructor(line: EngineClient, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
  }

  async run(): Promise<Run> {
    const { service } = await this.#line.ask(VersionsAnswer, 'GET', '/api/v1/versions');
    if (this.#run?.service !== service) this.#run = await this.#inspect(service);
    return this.#run;
  }

  /** Lists are at addresses that end in a slash, and whoever leaves that out is sent there. */
  async api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    const line = this.#line;
    const answer = await line.request(method, path, body);
    const { location = '' } = answer.headers;
    if (answer.statusCode !== 302 || !location.startsWith('/api/')) return answer;
    answer.resume();
    const query = path.includes('?') && !location.includes('?') ? path.slice(path.indexOf('?')) : '';
    return line.request(method, `${location}${query}`, body);
  }

  async streams(): Promise<LiveStream[]> {
    const answer = await this.#line.ask(StreamsAnswer, 'GET', `/api/v1/streams/${all}`);
    const live = answer.streams.filter(({ publish }) => publish.active && publish.cid !== '');
    if (live.some(({ vhost }) => !this.#vhosts.has(vhost))) await this.#learnVhosts();
    const streams = await Promise.all(
      live.map(async (stream) => {
        const { since, address, protocol } = await this.#publisher(stream.publish.cid);
        return {
          ...stream,
          // `name` has an extension if a player came before the publisher.
          name: stream.url.split('/').pop() || stream.name,
          vhostName: this.#vhosts.get(stream.vhost) ?? defaultVhost,
          publish: { ...stream.publish, since, address, protocol },
        };
      }),
    );
    return toLiveStreams({ ...answer, streams });
  }

  kick(clientId: string): Promise<boolean> {
    return kickClient(this.#line, clientId);
  }

  async #inspect(service: string): Promise<Run> {
    const [line, clock] = [this.#line, this.#clock];
    const [{ data }, features] = await Promise.all([
      line.ask(SummariesAnswer, 'GET', '/api/v1/summaries'),
      line.ask(FeaturesAnswer, 'GET', '/api/v1/features'),
    ]);
    const startedAt = new Date(clock.dateMs() - data.self.srs_uptime * 1000).toISOString();
    const built = `${features.data.options2} `;
    return { service, startedAt, hasSrt: built.includes('--srt=on '), hasRtc: built.includes('--rtc=on ') };
  }

  async #learnVhosts(): Promise<void> {
    const { vhosts } = await this.#line.ask(VhostsAnswer, 'GET', `/api/v1/vhosts/${all}`);
    this.#vhosts.clear();
    for (const { id, name } of vhosts) this.#vhosts.set(id, name);
  }

  async #publisher(clientId: string): Promise<Publisher> {
    const known = this.#publishers.get(clientId);
    if (known) return known;
    const [line, clock] = [this.#line, this.#clock];
    const { client } = await line.ask(ClientAnswer, 'GET', `/api/v1/clients/${encodeURIComponent(clientId)}`);
    const found: Publisher = {
      since: new Date(clock.dateMs() - (client?.alive ?? 0) * 1000).toISOString(),
      address: client?.ip ?? '',
      protocol: protocolOf(client?.type ?? ''),
    };
    // A client that has left is looked up again if it is still listed.
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
