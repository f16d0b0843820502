import type { IncomingMessage } from 'node:http';
import type { EnginePart, Listener, StreamMedia, StreamViewer } from '@weir/contract';
import type { Cue, SampleTable, SubtitleTrack, WirePlace } from '@weir/streams';

export interface EngineHealth {
  /** Tells one run of the engine from the next. */
  readonly startedAt: string;
  readonly listeners: readonly Listener[];
  /** Version of libsrt; empty until it is loaded. */
  readonly srtVersion: string;
  /** Processes of its that ended lately without being asked, and with them whoever was there. */
  readonly deaths?: readonly WorkerDeaths[];
}

interface WorkerDeaths {
  /** Protocol of the worker. */
  readonly worker: string;
  /** In the last hour. */
  readonly count: number;
  readonly lastAt: string;
  readonly reason: string;
}

/** A stream that somebody publishes now. */
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

/** Samples of the whole server and of each stream that is or was live. */
export interface EngineSamples {
  readonly server: SampleTable;
  readonly streams: readonly (WirePlace & { readonly isLive: boolean; readonly samples: SampleTable })[];
}

export interface EngineDetail {
  readonly seconds: SampleTable;
  readonly viewers: readonly StreamViewer[];
}

export interface EngineServerDetail {
  readonly seconds: SampleTable;
  /** Descriptors in use and allowed; undefined where the system does not tell. */
  readonly openFiles?: { readonly used: number; readonly most: number } | undefined;
}

/** Settings that can change while streams run. Absent ones stay. */
export interface EngineSettings {
  readonly hls?: { readonly noHlsCtx: boolean; readonly lowLatency: boolean };
  /** Texts that must not stand in its log. */
  readonly hidden?: readonly string[];
  /** True if any consumer takes finished segments. */
  readonly segments?: boolean;
  /** By what edges are known; empty for none. */
  readonly edgeToken?: string;
}

/** Media server: the embedded engine or a separate SRS. Any call may fail with `engine_unreachable`. */
export interface MediaServer {
  /** Missing capabilities. Calls for them change and find nothing; features that need them say so. */
  readonly lacks: readonly EnginePart[];
  health(): Promise<EngineHealth>;
  /** Passes one call of the SRS API on; `path` starts with `/api/` and holds no credential. */
  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage>;
  streams(): Promise<LiveStream[]>;
  /** The last second of all. Asked for while somebody looks: it has the engine measure. */
  latestSamples(): Promise<EngineSamples>;
  /** Seconds of live streams after the given moment, `sampleSpans.recentPage` at most of each. */
  recentSamples(sinceMs: number): Promise<EngineSamples>;
  /** Finished minutes of all after the given moment, `sampleSpans.page` at most of each. */
  minutes(sinceMs: number): Promise<EngineSamples>;
  /** Undefined when it is not measured. */
  detail(place: WirePlace): Promise<EngineDetail | undefined>;
  /** The last keyframe of a stream, as an MP4 of that one picture; undefined where there is none. */
  keyframe(place: WirePlace): Promise<Buffer | undefined>;
  /** The last five minutes of the server by the second. */
  serverDetail(): Promise<EngineServerDetail>;
  /** Disconnects a publisher or viewer; false when it was gone already. */
  kick(clientId: string): Promise<boolean>;
  /** Resolves once running streams follow the settings. Nobody is disconnected by it. */
  applySettings(settings: EngineSettings): Promise<void>;
  /**
   * In which languages viewers can read along; none switches subtitles off. Forgotten with the stream and with the engine's process.
   * False when there is no such stream.
   */
  setSubtitleTracks(place: WirePlace, tracks: readonly SubtitleTrack[]): Promise<boolean>;
  /** Adds cues to a track, or replaces those of the same id. False when there is no such stream or track. */
  addCues(place: WirePlace, language: string, cues: readonly Cue[]): Promise<boolean>;
}
