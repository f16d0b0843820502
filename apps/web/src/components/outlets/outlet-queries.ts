import { queryOptions } from '@tanstack/react-query';
import { type Outlet, type OutletFeature, type OutletRow, type ProcessState, processTimes } from '@weir/contract';
import { isSignInEnded } from '../../lib/api.ts';
import { slowPollWhileConnected } from '../../lib/events/event-feed-state.ts';

/** Stable states; all others are polled faster because they will end. */
const lasting: readonly ProcessState[] = ['off', 'live'];

interface Calls<Slot extends Outlet, Row extends OutletRow> {
  readonly slots: (signal: AbortSignal) => Promise<Record<string, Slot> | null>;
  readonly rows: (signal: AbortSignal) => Promise<Row[]>;
}

/** Slots are fetched once. Events update their states and numbers; without them they are polled, faster while they change. */
export function outletQueries<Slot extends Outlet, Row extends OutletRow>(
  feature: OutletFeature,
  calls: Calls<Slot, Row>,
) {
  return {
    /** Common prefix: a change of a slot affects both. */
    key: [feature],
    slots: queryOptions({
      queryKey: [feature, 'slots'],
      queryFn: async ({ signal }) => (await calls.slots(signal)) ?? {},
    }),
    rows: queryOptions({
      queryKey: [feature, 'rows'],
      queryFn: ({ signal }) => calls.rows(signal),
      refetchInterval: ({ state }) => {
        if (isSignInEnded(state.error)) return false;
        const isAtRest = state.data?.every(({ process }) => lasting.includes(process.state)) ?? true;
        return slowPollWhileConnected(isAtRest ? processTimes.pollMs : processTimes.watchMs);
      },
      refetchOnWindowFocus: true,
    }),
  };
}
