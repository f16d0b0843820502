import type { IncomingMessage } from 'node:http';
import type { EnginePart, StreamMedia } from '@weir/contract';
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
import type { Cue, SubtitleTrack, WirePlace } from '@weir/streams';

/** Stream with a publisher. */
export interface LiveStream {
  readonly vhost: string;
  readonly app: string;
  readonly name: string;
  readonly serverId: string;
  /** The publisher's. */
  readonly clientId: string;
  /** Query of the publisher's address as it was sent: it may hold the publish secret. */
  readonly param: string;
  readonly publishedAt: string;
  readonly media?: StreamMedia;
}

/** Media server: the embedded engine or a separate SRS. Any call may fail with `engine_unreachable`. */
export interface MediaServer {
  /** Missing capabilities. Calls for them change and find nothing; features that need them say so. */
  readonly lacks: readonly EnginePart[];
  health(): Promise<EngineHealth>;
  /** Passes one call of the SRS API on; `path` starts with `/api/` and holds no credential. */
  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage>;
  streams(): Promise<LiveStream[]>;
  /** Last second of all streams. Requested only while a page needs it, because the engine starts to sample. */
  latestSamples(): Promise<EngineSamples>;
  /** Seconds of live streams after the given moment, `sampleSpans.recentPage` at most of each. */
  recentSamples(sinceMs: number): Promise<EngineSamples>;
  /** Finished minutes of all after the given moment, `sampleSpans.page` at most of each. */
  minutes(sinceMs: number): Promise<EngineSamples>;
  /** Undefined when it is not measured. */
  detail(place: WirePlace): Promise<EngineStreamSamples | undefined>;
  /**
   * The last keyframe of a stream, as an MP4 of that one picture; undefined where there is none. `input`: that of one input of its program,
   * or `slate`.
   */
  keyframe(place: WirePlace, input?: string): Promise<Buffer | undefined>;
  /** The last five minutes of the server by the second. */
  serverDetail(): Promise<EngineServerSamples>;
  /** Disconnects a publisher or viewer; false when it was gone already. */
  kick(clientId: string): Promise<boolean>;
  /** Resolves once running streams follow the settings, without disconnecting clients. */
  applySettings(settings: EngineSettings): Promise<void>;
  /** Viewers of links that are in use. */
  linkViewers(): Promise<LinkViewers>;
  /** State of the ladders. */
  ladders(): Promise<readonly LadderStatus[]>;
  /** State of the programs. */
  programs(): Promise<readonly ProgramStatus[]>;
  /** By hand; resolves with why not, or with an empty text. Undefined without such a program. */
  switchProgram(place: WirePlace, input: string): Promise<string | undefined>;
  /** Sample of an input's current media; undefined without its publisher. */
  inputSample(place: WirePlace, input: string): Promise<InputSample | undefined>;
  /** Takes an input with a fault for lost, until it has none. False without such a program or input. */
  setInputFault(place: WirePlace, input: string, fault: ProgramFault): Promise<boolean>;
  /** Takes an input for lost for some time. False without such a program or input. */
  rehearseProgram(place: WirePlace, input: string, forMs: number): Promise<boolean>;
  /**
   * In which languages viewers can read along; none switches subtitles off. Forgotten with the stream and with the engine's process.
   * False when there is no such stream.
   */
  setSubtitleTracks(place: WirePlace, tracks: readonly SubtitleTrack[]): Promise<boolean>;
  /** Adds cues to a track, or replaces those of the same id. False when there is no such stream or track. */
  addCues(place: WirePlace, language: string, cues: readonly Cue[]): Promise<boolean>;
}
