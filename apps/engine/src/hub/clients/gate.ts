import type { FinishedSegment, InputChoice, PublisherEnd, SegmentPlace } from '@weir/engine-api';
import type { EngineRefusal } from '@weir/streams';
import type { ClientInfo } from './client-info.ts';

/** Reason of a refusal, in words for the wire and the log. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** Why a publisher was turned away here, in the words of the control plane, which was not asked. */
  readonly reason: EngineRefusal | undefined;
  /** Missing stream, which is no decision against the viewer. */
  readonly isAbsent: boolean;
  /** No room now; a later attempt may succeed. */
  readonly isBusy: boolean;
  /** Why a rule refused a viewer, for players: `expired`, or `no-token; password=ID` where a password opens the stream. */
  readonly byRule: string | undefined;

  constructor(message: string, { reason, isAbsent = false, isBusy = false, byRule, ...options }: RefusedOptions = {}) {
    super(message, options);
    this.reason = reason;
    this.isAbsent = isAbsent;
    this.isBusy = isBusy;
    this.byRule = byRule;
  }
}

interface RefusedOptions extends ErrorOptions {
  readonly reason?: EngineRefusal;
  readonly isAbsent?: boolean;
  readonly isBusy?: boolean;
  readonly byRule?: string;
}

/** Asks the control plane who may publish and play, and tells it who left. */
export interface Gate {
  /** Resolves when allowed, with the input where the place has a program; throws Refused when not. */
  publish(client: ClientInfo): Promise<InputChoice | undefined>;
  unpublish(client: ClientInfo, why: PublisherEnd): void;
  /** A publisher was turned away without a question: the administrator may wonder where it is. */
  publishRefused(client: ClientInfo, reason: EngineRefusal): void;
  play(client: ClientInfo): Promise<void>;
  stop(client: ClientInfo): void;
  /** A finished HLS segment, whose media it is, and where viewers find it. */
  segment(segment: FinishedSegment, publisher: ClientInfo, place: SegmentPlace): void;
}
