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
  /** Instead of the program's. */
  readonly failMs?: number;
}

export interface ProgramSettings {
  readonly place: StreamPlace;
  readonly inputs: readonly ProgramInputSettings[];
  /** Time without a picture after which an input is lost. */
  readonly failMs: number;
  readonly returnMs: number | undefined;
  readonly leastMs: number;
  /** `mostMs` 0: without an end. */
  /** True if inputs of another form are encoded to fit. */
  readonly isConforming: boolean;
  readonly slate: ({ readonly afterMs: number; readonly mostMs: number } & Partial<SlateArt>) | undefined;
}

export interface ProgramSwitch {
  readonly from: string;
  readonly to: string;
  readonly reason: SwitchReason;
  readonly atMs: number;
  /** Time without a picture for viewers without a buffer. */
  readonly gapMs: number;
}

/** A planned switch to an input. */
export interface Armed {
  readonly id: string;
  readonly reason: SwitchReason;
  readonly sinceMs: number;
  /** Place of the cut; set once the keyframe has come. */
  cut?: { readonly offsetMs: number; readonly atMs: number; readonly untilMs: number; readonly pictures: MediaFrame[] };
}

/** Dependencies of a program. */
export interface ProgramContext {
  readonly hub: Hub;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly slates: Pick<Slates, 'prepare' | 'find' | 'music'>;
  /** View of a stream from which inputs are read. */
  readonly sourceOf: (place: StreamPlace) => InputSource | undefined;
  /** Context for encoders of inputs that are encoded to fit. */
  readonly conversions: (place: StreamPlace) => ConversionContext;
  readonly onBegan: (info: ClientInfo) => void;
  readonly onEnded: (info: ClientInfo) => void;
  readonly onSwitch: (place: StreamPlace, change: ProgramSwitch) => void;
}
