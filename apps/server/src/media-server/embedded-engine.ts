import { type IncomingMessage, request } from 'node:http';
import { type Cue, type SubtitleTrack, samplePaths, streamKey, subtitlePaths, type WirePlace } from '@weir/dialect';
import type * as z from 'zod';
import { WeirError } from '../core/errors.ts';
import type {
  EngineDetail,
  EngineHealth,
  EngineSamples,
  EngineServerDetail,
  EngineSettings,
  LiveStream,
  MediaServer,
} from './media-server.ts';
import {
  CodeAnswer,
  DetailAnswer,
  HealthAnswer,
  liveStreamsOf,
  noSuchClient,
  SamplesAnswer,
  ServerDetailAnswer,
  StreamsAnswer,
} from './srs-answers.ts';

const answerWithinMs = 5000;
const largestAnswer = 16 * 1024 * 1024;
/** Without it SRS answers with the first ten. */
const everyStream = '?start=0&count=100000';

/** The engine beside us, reached over its private socket. */
export class EmbeddedEngine implements MediaServer {
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  async health(): Promise<EngineHealth> {
    return (await this.#ask(HealthAnswer, 'GET', '/weir/v1/health')).data;
  }

  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    return this.#request(method, path, body);
  }

  async streams(): Promise<LiveStream[]> {
    return liveStreamsOf(await this.#ask(StreamsAnswer, 'GET', `/api/v1/streams${everyStream}`));
  }

  async latestSamples(): Promise<EngineSamples> {
    return (await this.#ask(SamplesAnswer, 'GET', samplePaths.now)).data;
  }

  async minutes(sinceMs: number): Promise<EngineSamples> {
    return (await this.#ask(SamplesAnswer, 'GET', `${samplePaths.minutes}?since=${Math.floor(sinceMs)}`)).data;
  }

  async detail({ vhost, app, stream }: WirePlace): Promise<EngineDetail | undefined> {
    const query = new URLSearchParams({ key: streamKey({ vhost, app, name: stream }) });
    const { code, data } = await this.#ask(DetailAnswer, 'GET', `${samplePaths.stream}?${query}`);
    return code === 0 ? data : undefined;
  }

  async serverDetail(): Promise<EngineServerDetail> {
    return (await this.#ask(ServerDetailAnswer, 'GET', samplePaths.server)).data;
  }

  async kick(clientId: string): Promise<boolean> {
    const { code } = await this.#ask(CodeAnswer, 'DELETE', `/api/v1/clients/${encodeURIComponent(clientId)}`);
    if (code !== 0 && code !== noSuchClient && code !== 404) {
      throw new WeirError('engine_unreachable', 'the media engine could not disconnect the publisher');
    }
    return code === 0;
  }

  async applySettings(settings: EngineSettings): Promise<void> {
    const body = Buffer.from(JSON.stringify(settings));
    const { code } = await this.#ask(CodeAnswer, 'PUT', '/weir/v1/settings', body);
    if (code !== 0) throw new WeirError('engine_unreachable', 'the media engine did not accept the settings');
  }

  setSubtitleTracks({ vhost, app, stream }: WirePlace, tracks: readonly SubtitleTrack[]): Promise<boolean> {
    return this.#tell('PUT', subtitlePaths.tracks, { vhost, app, stream, tracks });
  }

  addCues({ vhost, app, stream }: WirePlace, language: string, cues: readonly Cue[]): Promise<boolean> {
    return this.#tell('POST', subtitlePaths.cues, { vhost, app, stream, language, cues });
  }

  /** False when there is nothing that it could be about. */
  async #tell(method: string, path: string, body: object): Promise<boolean> {
    const { code } = await this.#ask(CodeAnswer, method, path, Buffer.from(JSON.stringify(body)));
    if (code !== 0 && code !== 404) throw new WeirError('engine_unreachable', 'the media engine did not accept this');
    return code === 0;
  }

  async #ask<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: Buffer,
  ): Promise<z.output<Schema>> {
    const text = await readText(await this.#request(method, path, body));
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      throw new WeirError('engine_unreachable', 'the media engine sent an invalid response', { cause });
    }
  }

  #request(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ socketPath: this.#socketPath, method, path, headers: { host: 'engine' } }, resolve);
      outgoing.setTimeout(answerWithinMs, () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', (cause) => reject(unreachable(cause)));
      outgoing.end(body);
    });
  }
}

function unreachable(cause: unknown): WeirError {
  return new WeirError('engine_unreachable', 'the media engine is not responding, it may be restarting', { cause });
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > largestAnswer) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
  } catch (cause) {
    throw unreachable(cause);
  }
  return Buffer.concat(chunks).toString('utf8');
}
