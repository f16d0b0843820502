import type { OutletChange } from '@weir/contract';
import { checkAction } from './outlet-rules.ts';

interface OutletActions<Data> {
  readonly read: () => Promise<Data>;
  readonly update: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** An oddity of the wire that ends here: one path reads and writes, by its action. */
export async function takeOutletCall<Data>(
  { action }: OutletChange,
  actions: OutletActions<Data>,
): Promise<Data | null> {
  if (!action) return actions.read();
  await actions[checkAction(action)]();
  return null;
}
