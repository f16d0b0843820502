import type { IncomingMessage } from 'node:http';
import {
  type EngineHealth,
  type EngineSamples,
  type EngineServerSamples,
  engineApi,
  type ListenerState,
} from '@weir/engine-api';
import type { Config } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
import type { EngineClient } from '../engine-client.ts';
import type { LiveStream, MediaServer } from '../media-server.ts';
import type { SrsOrigin } from './srs-origin.ts';

const nothing: EngineSamples = { server: { at: [], columns: {} }, streams: [] };

interface Context {
  readonly config: Pick<Config, 'rtmp' | 'srt' | 'rtc'>;
  readonly origins: readonly SrsOrigin[];
  /** The process with our own HTTP ports. */
  readonly frontDoor: EngineClient;
}

/** A separate SRS: one process, or several that share the streams. One that is away takes its streams with it, and no others. */
export class SrsServer implements MediaServer {
  readonly lacks = [
    'hls-settings',
    'subtitles',
    'measurements',
    'thumbnails',
    'process',
    'programs',
    'access',
    'ladders',
    'rewind',
  ] as const;
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async health(): Promise<EngineHealth> {
    const { frontDoor, config } = this.#context;
    const [{ startedAt, hasSrt, hasRtc }] = await this.#query((origin) => origin.run());
    const own = await frontDoor.call(engineApi.health, {}).catch(() => undefined);
    const listener = (protocol: ListenerState['protocol'], port: number, isBuilt = true): ListenerState => ({
      protocol,
      port,
      ready: isBuilt,
      note: isBuilt ? '' : 'unsupported',
    });
    return {
      startedAt,
      srtVersion: '',
      workerExits: [],
      listeners: [
        ...(own?.listeners ?? []),
        listener('rtmp', config.rtmp.port),
        listener('srt', config.srt.port, hasSrt),
        listener('rtc', config.rtc.port, hasRtc),
      ],
    };
  }

  async api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    const [first] = this.#context.origins;
    if (!first) throw new WeirError('engine_unreachable', 'no media server is configured');
    return first.api(method, path, body);
  }

  async streams(): Promise<LiveStream[]> {
    return (await this.#query((origin) => origin.streams())).flat();
  }

  async kick(clientId: string): Promise<boolean> {
    return (await this.#query((origin) => origin.kick(clientId))).some((wasThere) => wasThere);
  }

  /** Settings are in its configuration, and its own log cannot be redacted. */
  async applySettings(): Promise<void> {}

  async setSubtitleTracks(): Promise<boolean> {
    return false;
  }

  async addCues(): Promise<boolean> {
    return false;
  }

  async linkViewers(): Promise<{ links: [] }> {
    return { links: [] };
  }

  async programs(): Promise<[]> {
    return [];
  }

  async ladders(): Promise<[]> {
    return [];
  }

  async switchProgram(): Promise<undefined> {
    return undefined;
  }

  async inputSample(): Promise<undefined> {
    return undefined;
  }

  async setInputFault(): Promise<boolean> {
    return false;
  }

  async rehearseProgram(): Promise<boolean> {
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

  async serverDetail(): Promise<EngineServerSamples> {
    return { seconds: nothing.server };
  }

  /** Answers of the reachable origins, in order; at least one. */
  async #query<Answer>(question: (origin: SrsOrigin) => Promise<Answer>): Promise<[Answer, ...Answer[]]> {
    const asked = await Promise.allSettled(this.#context.origins.map(question));
    const [first, ...others] = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (first !== undefined) return [first, ...others];
    const failed = asked.find((answer) => answer.status === 'rejected');
    throw failed?.reason ?? new WeirError('engine_unreachable', 'no media server is configured');
  }
}
