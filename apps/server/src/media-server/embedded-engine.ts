import type { IncomingMessage } from 'node:http';
import {
  type Cue,
  keyframePath,
  type SubtitleTrack,
  samplePaths,
  streamKey,
  subtitlePaths,
  type WirePlace,
} from '@weir/streams';
import { WeirError } from '../core/errors.ts';
import { EngineClient } from './engine-client.ts';
import { kickClient } from './kick-client.ts';
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
  KeyframeAnswer,
  SamplesAnswer,
  ServerDetailAnswer,
  StreamsAnswer,
  toLiveStreams,
} from './srs-answers.ts';

/** Without it SRS answers with the first ten. */
const everyStream = '?start=0&count=100000';

/** The engine beside us, reached over its private socket. */
export class EmbeddedEngine implements MediaServer {
  readonly lacks = [];
  readonly #line: EngineClient;

  constructor(socketPath: string) {
    this.#line = new EngineClient({ socketPath });
  }

  async health(): Promise<EngineHealth> {
    return (await this.#line.ask(HealthAnswer, 'GET', '/weir/v1/health')).data;
  }

  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    return this.#line.request(method, path, body);
  }

  async streams(): Promise<LiveStream[]> {
    return toLiveStreams(await this.#line.ask(StreamsAnswer, 'GET', `/api/v1/streams${everyStream}`));
  }

  async latestSamples(): Promise<EngineSamples> {
    return (await this.#line.ask(SamplesAnswer, 'GET', samplePaths.now)).data;
  }

  async recentSamples(sinceMs: number): Promise<EngineSamples> {
    return (await this.#line.ask(SamplesAnswer, 'GET', `${samplePaths.recent}?since=${Math.floor(sinceMs)}`)).data;
  }

  async minutes(sinceMs: number): Promise<EngineSamples> {
    return (await this.#line.ask(SamplesAnswer, 'GET', `${samplePaths.minutes}?since=${Math.floor(sinceMs)}`)).data;
  }

  async detail({ vhost, app, stream }: WirePlace): Promise<EngineDetail | undefined> {
    const query = new URLSearchParams({ key: streamKey({ vhost, app, name: stream }) });
    const { code, data } = await this.#line.ask(DetailAnswer, 'GET', `${samplePaths.stream}?${query}`);
    return code === 0 ? data : undefined;
  }

  async keyframe({ vhost, app, stream }: WirePlace): Promise<Buffer | undefined> {
    const query = new URLSearchParams({ vhost, app, stream });
    const { data } = await this.#line.ask(KeyframeAnswer, 'GET', `${keyframePath}?${query}`);
    return data.movie === '' ? undefined : Buffer.from(data.movie, 'base64');
  }

  async serverDetail(): Promise<EngineServerDetail> {
    return (await this.#line.ask(ServerDetailAnswer, 'GET', samplePaths.server)).data;
  }

  kick(clientId: string): Promise<boolean> {
    return kickClient(this.#line, clientId);
  }

  async applySettings(settings: EngineSettings): Promise<void> {
    const body = Buffer.from(JSON.stringify(settings));
    const { code } = await this.#line.ask(CodeAnswer, 'PUT', '/weir/v1/settings', body);
    if (code !== 0) throw new WeirError('engine_unreachable', 'the media engine rejected the settings');
  }

  setSubtitleTracks({ vhost, app, stream }: WirePlace, tracks: readonly SubtitleTrack[]): Promise<boolean> {
    return this.#tell('PUT', subtitlePaths.tracks, { vhost, app, stream, tracks });
  }

  addCues({ vhost, app, stream }: WirePlace, language: string, cues: readonly Cue[]): Promise<boolean> {
    return this.#tell('POST', subtitlePaths.cues, { vhost, app, stream, language, cues });
  }

  /** False when there is nothing that it could be about. */
  async #tell(method: string, path: string, body: object): Promise<boolean> {
    const { code } = await this.#line.ask(CodeAnswer, method, path, Buffer.from(JSON.stringify(body)));
    if (code !== 0 && code !== 404) throw new WeirError('engine_unreachable', 'the media engine rejected the request');
    return code === 0;
  }
}
