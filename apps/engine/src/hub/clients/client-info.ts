import type { StreamPlace } from '@weir/streams';

/** `program-publish`: a program of several inputs publishes its stream. */
export type ClientKind =
  | `${'rtmp' | 'rtc' | 'srt'}-${'publish' | 'play'}`
  | 'flv-play'
  | 'hls-play'
  | 'program-publish';

/** Publishing or playing peer, as the API lists it and hooks name it. */
export interface ClientInfo {
  /** Unguessable; the id that the API and the hooks use. */
  readonly id: string;
  readonly kind: ClientKind;
  readonly address: string;
  readonly place: StreamPlace;
  /** Query of the address with its question mark, or empty: `?secret=…`. */
  readonly param: string;
  readonly tcUrl: string;
  readonly pageUrl: string;
  /** Host of the page that plays it, as `siteOf` finds it. Undefined on protocols without pages. */
  readonly site?: string;
  /** Link that a viewer came by. */
  readonly link?: string;
  readonly connectedAt: Date;
  /** Program of ours that processes the stream: no viewer. */
  readonly isOwn?: boolean;
  /** Preview in the console: its viewer is an operator. */
  readonly isPreview?: boolean;
  /** Input of the program to which it publishes, instead of the place itself. */
  readonly input?: string;
}

/** True for a viewer: neither our own program nor the console's preview. */
export function countsAsViewer({ kind, isOwn, isPreview }: ClientInfo): boolean {
  return kind.endsWith('-play') && !isOwn && !isPreview;
}

/** Bytes and frames of a client, counted where they pass. */
export interface ClientCounters {
  bytesIn: number;
  bytesOut: number;
  droppedFrames: number;
  /** Age of the oldest data queued for the viewer; reported by workers. */
  behindMs?: number;
}
