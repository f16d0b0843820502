import type { ClientInfo } from './client-info.ts';

/** Why somebody may not publish or play, in words for the wire and the log. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** Why a publisher was turned away here, in the words of the control plane, which was not asked. */
  readonly reason: PublishRefusal | undefined;
  /** There is no such stream: nobody decided against the viewer. */
  readonly isAbsent: boolean;

  constructor(message: string, { reason, isAbsent = false, ...options }: RefusedOptions = {}) {
    super(message, options);
    this.reason = reason;
    this.isAbsent = isAbsent;
  }
}

export type PublishRefusal = 'in-use' | 'too-many';

interface RefusedOptions extends ErrorOptions {
  readonly reason?: PublishRefusal;
  readonly isAbsent?: boolean;
}

/** Asks the control plane who may publish and play, and tells it who left. */
export interface Gate {
  /** Resolves when allowed, throws Refused when not. */
  publish(client: ClientInfo): Promise<void>;
  unpublish(client: ClientInfo): void;
  /** A publisher was turned away without a question: the administrator may wonder where it is. */
  publishRefused(client: ClientInfo, reason: PublishRefusal): void;
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
  /** Does not continue the segment before it. */
  readonly isDiscontinuity: boolean;
}
