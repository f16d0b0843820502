import { queryOptions } from '@tanstack/react-query';
import { type Outlet, type OutletFeature, type OutletRow, type ProcessState, processTimes } from '@weir/contract';
import { isSignInEnded } from '../../lib/api.ts';

/** States that last. Of any other somebody waits for the end. */
const lasting: readonly ProcessState[] = ['off', 'live'];

interface Calls<Slot extends Outlet, Row extends OutletRow> {
  readonly slots: (signal: AbortSignal) => Promise<Record<string, Slot> | null>;
  readonly rows: (signal: AbortSignal) => Promise<Row[]>;
}

/** What a tab with slots asks for: what was saved, once; what runs, again and again, and more often while that changes. */
export function outletQueries<Slot extends Outlet, Row extends OutletRow>(
  feature: OutletFeature,
  calls: Calls<Slot, Row>,
) {
  return {
    /** Both begin with this one: a change of a slot changes both. */
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
        return isAtRest ? processTimes.pollMs : processTimes.watchMs;
      },
      refetchOnWindowFocus: true,
    }),
  };
}
