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
  /** Id of the publisher. */
  readonly clientId: string;
  /** Query of the publisher's address as it was sent: it may hold the publish secret. */
  readonly param: string;
  readonly publishedAt: string;
  readonly media?: StreamMedia;
}

/** Media server: the embedded engine or a separate SRS. Any call may fail with `engine_unreachable`. */
export interface MediaServer {
  /** Missing capabilities. Calls for them have no effect and no result; features that need them report that. */
  readonly lacks: readonly EnginePart[];
  health(): Promise<EngineHealth>;
  /** Forwards one call of the SRS API. `path` starts with `/api/` and has no credential. */
  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage>;
  streams(): Promise<LiveStream[]>;
  /** Last second of all streams. Requested only while a page needs it, because the engine starts to sample. */
  latestSamples(): Promise<EngineSamples>;
  /** Seconds of live streams after the given moment, `sampleSpans.recentPage` at most of each. */
  recentSamples(sinceMs: number): Promise<EngineSamples>;
  /** Finished minutes of all streams and of the server after the given moment, `sampleSpans.page` at most of each. */
  minutes(sinceMs: number): Promise<EngineSamples>;
  /** Samples of one stream; undefined if it is not measured. */
  detail(place: WirePlace): Promise<EngineStreamSamples | undefined>;
  /**
   * The last keyframe of a stream as an MP4 of one picture; undefined if there is none. `input`: id of an input of its program, or `slate`, whose
   * keyframe is wanted instead.
   */
  keyframe(place: WirePlace, input?: string): Promise<Buffer | undefined>;
  /** The last five minutes of the server by the second. */
  serverDetail(): Promise<EngineServerSamples>;
  /** Disconnects a publisher or viewer. False if it was gone already. */
  kick(clientId: string): Promise<boolean>;
  /** Resolves once running streams follow the settings, without disconnecting clients. */
  applySettings(settings: EngineSettings): Promise<void>;
  /** Number of viewers by link. */
  linkViewers(): Promise<LinkViewers>;
  /** State of the ladders. */
  ladders(): Promise<readonly LadderStatus[]>;
  /** State of the programs. */
  programs(): Promise<readonly ProgramStatus[]>;
  /** Switches a program to an input. Resolves with the reason of a refusal or an empty text; undefined without such a program. */
  switchProgram(place: WirePlace, input: string): Promise<string | undefined>;
  /** Sample of an input's current media; undefined without its publisher. */
  inputSample(place: WirePlace, input: string): Promise<InputSample | undefined>;
  /** Marks an input as lost while it has a fault. False without such a program or input. */
  setInputFault(place: WirePlace, input: string, fault: ProgramFault): Promise<boolean>;
  /** Treats an input as lost for some time, to rehearse a failure. False without such a program or input. */
  rehearseProgram(place: WirePlace, input: string, forMs: number): Promise<boolean>;
  /**
   * Sets the languages of a stream's subtitles; an empty list switches them off. The engine forgets them when the stream or its process ends.
   * False without such a stream.
   */
  setSubtitleTracks(place: WirePlace, tracks: readonly SubtitleTrack[]): Promise<boolean>;
  /** Adds cues to a track and replaces those with the same id. False without such a stream or track. */
  addCues(place: WirePlace, language: string, cues: readonly Cue[]): Promise<boolean>;
}
