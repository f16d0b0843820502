import { type Plane, planeNames } from '@weir/contract';
import type { PlaneState, PlaneStates } from '@weir/plane';
import { residentBytes } from '../../core/resident-bytes.ts';

/** The planes as the launcher last told of them, with what each takes now. */
export function observePlanes(states: PlaneStates | undefined, nowMs: number): Promise<Plane[]> {
  if (!states) return Promise.resolve([]);
  return Promise.all(
    planeNames.map(async (name) => planeOf(name, states[name], await residentBytes(states[name].pid), nowMs)),
  );
}

function planeOf(name: Plane['name'], state: PlaneState, memoryBytes: number | null, nowMs: number): Plane {
  const { pid, isReady, startedAt, restarts, lastExit } = state;
  return {
    name,
    pid,
    ready: isReady,
    startedAt,
    uptimeSeconds: pid === 0 ? 0 : Math.max(0, Math.floor((nowMs - Date.parse(startedAt)) / 1000)),
    memoryBytes,
    restarts,
    lastExit: lastExit && {
      at: lastExit.at,
      wanted: lastExit.isWanted,
      code: lastExit.code,
      signal: lastExit.signal,
      reason: lastExit.reason,
    },
  };
}
