import type { ClientInfo } from './client-info.ts';

/** Why somebody may not publish or play, in words for the wire and the log. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Asks the control plane who may publish and play, and tells it who left. */
export interface Gate {
  /** Resolves when allowed, throws Refused when not. */
  publish(client: ClientInfo): Promise<void>;
  unpublish(client: ClientInfo): void;
  play(client: ClientInfo): Promise<void>;
  stop(client: ClientInfo): void;
  /** A finished HLS segment: file path, playlist path, both below the HLS directory, and facts for the hook. */
  segment(segment: FinishedSegment): void;
}

export interface FinishedSegment {
  readonly client: ClientInfo;
  readonly file: string;
  readonly url: string;
  readonly m3u8: string;
  readonly m3u8Url: string;
  readonly durationSeconds: number;
  readonly sequence: number;
}
