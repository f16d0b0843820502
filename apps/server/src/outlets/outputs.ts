import type { MadeFrom } from './stream-loops.ts';

/** Media that a feature pushes, now. An address of this server makes one of its streams. */
export interface Outputs {
  /** Every address it pushes to: a stream that comes from it is known as our own work. */
  readonly urls: () => Promise<readonly string[]>;
  /** The streams it copies, as people name them, also while they are not live, and the address it pushes each to. */
  readonly copies?: () => Promise<readonly { readonly from: string; readonly to: string }[]>;
  /** Streams that it makes of others without pushing them: programs. */
  readonly made?: () => Promise<MadeFrom>;
  /** Addresses that it pushes silence to because the owner chose so. */
  readonly silent?: () => Promise<readonly string[]>;
}
