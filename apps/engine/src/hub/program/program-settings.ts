import type { MediaFrame } from '@weir/media';
import type { Log } from '@weir/plane';
import type { StreamPlace } from '@weir/streams';
import type { ClientInfo } from '../clients/client-info.ts';
import type { Hub } from '../hub.ts';
import type { ConversionContext } from '../player-views/conversion.ts';
import type { SwitchReason } from './decide.ts';
import type { InputSource } from './program-input.ts';
import type { SlateArt, Slates } from './slate/slates.ts';

interface ProgramInputSettings {
  readonly id: string;
  /** Another stream; absent for an input with its own publisher. */
  readonly from?: StreamPlace;
}

export interface ProgramSettings {
  readonly place: StreamPlace;
  readonly inputs: readonly ProgramInputSettings[];
  /** An input is lost without a picture for this long. */
  readonly failMs: number;
  readonly returnMs: number | undefined;
  readonly leastMs: number;
  /** `mostMs` 0: without an end. */
  /** Inputs of another form are encoded anew. */
  readonly isConforming: boolean;
  readonly slate: ({ readonly afterMs: number; readonly mostMs: number } & Partial<SlateArt>) | undefined;
}

export interface ProgramSwitch {
  readonly from: string;
  readonly to: string;
  readonly reason: SwitchReason;
  readonly atMs: number;
  /** Time without a picture that viewers without a buffer saw. */
  readonly gapMs: number;
}

/** An input that is waited for. */
export interface Armed {
  readonly id: string;
  readonly reason: SwitchReason;
  readonly sinceMs: number;
  /** Set once its keyframe came: where it will be cut in. */
  cut?: { readonly offsetMs: number; readonly atMs: number; readonly untilMs: number; readonly pictures: MediaFrame[] };
}

/** Dependencies of a program. */
export interface ProgramContext {
  readonly hub: Hub;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly slates: Pick<Slates, 'prepare' | 'find' | 'music'>;
  /** The view of a stream that inputs are taken from. */
  readonly sourceOf: (place: StreamPlace) => InputSource | undefined;
  /** For the encoders of inputs that conform. */
  readonly conversions: (place: StreamPlace) => ConversionContext;
  readonly onBegan: (info: ClientInfo) => void;
  readonly onEnded: (info: ClientInfo) => void;
  readonly onSwitch: (place: StreamPlace, change: ProgramSwitch) => void;
}
