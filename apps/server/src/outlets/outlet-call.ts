import type { OutletChange } from '@weir/contract';
import { checkAction } from './outlet-rules.ts';

interface Deeds<Data> {
  readonly read: () => Promise<Data>;
  readonly update: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** An oddity of the wire that ends here: one path reads and writes, by its action. */
export async function takeOutletCall<Data>({ action }: OutletChange, deeds: Deeds<Data>): Promise<Data | null> {
  if (!action) return deeds.read();
  await deeds[checkAction(action)]();
  return null;
}
