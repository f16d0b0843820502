import type { MadeFrom } from './stream-loops.ts';

/** Media that a feature pushes at present. An address of this server makes a stream there. */
export interface Outputs {
  /** All addresses that it pushes to, by which streams on this server are recognised as our own work. */
  readonly urls: () => Promise<readonly string[]>;
  /** Streams that it copies, live or not, with the address that each is pushed to. */
  readonly copies?: () => Promise<readonly { readonly from: string; readonly to: string }[]>;
  /** Streams that it makes from others without pushing: programs. */
  readonly made?: () => Promise<MadeFrom>;
  /** Addresses that it pushes silence to because the owner chose that. */
  readonly silent?: () => Promise<readonly string[]>;
}
