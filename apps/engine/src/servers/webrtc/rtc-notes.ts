import type { Config, Listen } from '@weir/plane';
import type { EngineNote, WorkerNote } from '../../workers/link/notes.ts';
import type { PublisherPlan, ViewerPlan } from './sessions/rtc-sessions.ts';
import type { PeerFacts, TransportFacts } from './transport/rtc-transport.ts';

/** Common start of both kinds of sessions. */
interface Begin {
  readonly client: number;
  readonly peer: PeerFacts;
  /** Stream key. */
  readonly key: string;
}

export interface BeginPublish extends Begin, Pick<PublisherPlan, 'video' | 'audio'> {
  readonly type: 'publish';
}

export interface BeginPlay extends Begin, Pick<ViewerPlan, 'video' | 'audio' | 'quality'> {
  readonly type: 'play';
  readonly feed: number;
}

/** Session without media, for a browser that tests its way to the port. */
export interface BeginTest extends Begin {
  readonly type: 'test';
}

export type RtcEngineNote =
  | EngineNote
  | { readonly type: 'listen'; readonly listen: Listen }
  /** Asks for a place for a new session. */
  | { readonly type: 'reserve'; readonly client: number; readonly id: string; readonly address: string }
  | BeginPublish
  | BeginPlay
  | BeginTest
  | { readonly type: 'quality'; readonly client: number; readonly quality?: string | undefined }
  /** A viewer elsewhere needs a keyframe of a publisher here. */
  | { readonly type: 'keyframe'; readonly key: string };

export type RtcWorkerNote =
  | WorkerNote
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'reserved'; readonly client: number; readonly hasRoom: boolean }
  /** Transport part of the answer; absent if the session failed. */
  | { readonly type: 'begun'; readonly client: number; readonly facts?: TransportFacts }
  | { readonly type: 'keyframe'; readonly key: string };

export interface RtcWorkerSettings {
  readonly transport: Config['rtcTransport'];
}
