import type { IncomingMessage } from 'node:http';
import {
  type EngineHealth,
  type EngineSamples,
  type EngineServerSamples,
  type EngineSettings,
  type EngineStreamSamples,
  engineApi,
  type InputSample,
  type LadderStatus,
  type LinkViewers,
  type ProgramFault,
  type ProgramStatus,
} from '@weir/engine-api';
import { type Cue, type SubtitleTrack, streamKey, type WirePlace } from '@weir/streams';
import { WeirError } from '../core/errors.ts';
import { EngineClient } from './engine-client.ts';
import { kickClient } from './kick-client.ts';
import type { LiveStream, MediaServer } from './media-server.ts';
import { StreamsAnswer, toLiveStreams } from './srs-answers.ts';

/** Without this parameter SRS returns only ten entries. */
const everyStream = '?start=0&count=100000';

/** Client of the embedded engine over its private socket. */
export class EmbeddedEngine implements MediaServer {
  readonly lacks = [];
  readonly #engine: EngineClient;

  constructor(socketPath: string) {
    this.#engine = new EngineClient({ socketPath });
  }

  async health(): Promise<EngineHealth> {
    return present(await this.#engine.call(engineApi.health, {}));
  }

  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    return this.#engine.request(method, path, body);
  }

  async streams(): Promise<LiveStream[]> {
    return toLiveStreams(await this.#engine.ask(StreamsAnswer, 'GET', `/api/v1/streams${everyStream}`));
  }

  async latestSamples(): Promise<EngineSamples> {
    return present(await this.#engine.call(engineApi.samples.now, {}));
  }

  async recentSamples(sinceMs: number): Promise<EngineSamples> {
    return present(await this.#engine.call(engineApi.samples.recent, { since: Math.floor(sinceMs) }));
  }

  async minutes(sinceMs: number): Promise<EngineSamples> {
    return present(await this.#engine.call(engineApi.samples.minutes, { since: Math.floor(sinceMs) }));
  }

  detail({ vhost, app, stream }: WirePlace): Promise<EngineStreamSamples | undefined> {
    return this.#engine.call(engineApi.samples.stream, { key: streamKey({ vhost, app, name: stream }) });
  }

  async keyframe({ vhost, app, stream }: WirePlace, input = ''): Promise<Buffer | undefined> {
    const { movie } = present(await this.#engine.call(engineApi.keyframe, { vhost, app, stream, input }));
    return movie === '' ? undefined : Buffer.from(movie, 'base64');
  }

  async serverDetail(): Promise<EngineServerSamples> {
    return present(await this.#engine.call(engineApi.samples.server, {}));
  }

  kick(clientId: string): Promise<boolean> {
    return kickClient(this.#engine, clientId);
  }

  async applySettings(settings: EngineSettings): Promise<void> {
    present(await this.#engine.call(engineApi.settings, settings));
  }

  async linkViewers(): Promise<LinkViewers> {
    return present(await this.#engine.call(engineApi.linkViewers, {}));
  }

  async ladders(): Promise<readonly LadderStatus[]> {
    return present(await this.#engine.call(engineApi.ladders, {})).ladders;
  }

  async programs(): Promise<readonly ProgramStatus[]> {
    return present(await this.#engine.call(engineApi.programs, {})).programs;
  }

  async switchProgram({ vhost, app, stream }: WirePlace, input: string): Promise<string | undefined> {
    return (await this.#engine.call(engineApi.switchProgram, { vhost, app, stream, input }))?.refusal;
  }

  async rehearseProgram({ vhost, app, stream }: WirePlace, input: string, forMs: number): Promise<boolean> {
    return (await this.#engine.call(engineApi.rehearseProgram, { vhost, app, stream, input, forMs })) !== undefined;
  }

  inputSample({ vhost, app, stream }: WirePlace, input: string): Promise<InputSample | undefined> {
    return this.#engine.call(engineApi.inputSample, { vhost, app, stream, input });
  }

  async setInputFault({ vhost, app, stream }: WirePlace, input: string, fault: ProgramFault): Promise<boolean> {
    return (await this.#engine.call(engineApi.inputFault, { vhost, app, stream, input, fault })) !== undefined;
  }

  async setSubtitleTracks({ vhost, app, stream }: WirePlace, tracks: readonly SubtitleTrack[]): Promise<boolean> {
    return (await this.#engine.call(engineApi.subtitleTracks, { vhost, app, stream, tracks })) !== undefined;
  }

  async addCues({ vhost, app, stream }: WirePlace, language: string, cues: readonly Cue[]): Promise<boolean> {
    return (await this.#engine.call(engineApi.cues, { vhost, app, stream, language, cues })) !== undefined;
  }
}

/** Throws without an answer, as for a stream that has just ended. */
function present<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined)
    throw new WeirError('engine_unreachable', 'the media engine did not find what was requested');
  return answer;
}
