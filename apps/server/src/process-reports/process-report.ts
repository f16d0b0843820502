import type { ProcessReport, ProcessState } from '@weir/contract';
import type { Observed } from '@weir/process';

/** Desired state of a process. */
interface Wanted {
  readonly isOn: boolean;
  /** True while the input exists. */
  readonly hasSource: boolean;
}

/** After so many tries in vain, "reconnecting" is no longer the truth. */
const reconnectTries = 5;

/** Computes the state that users see, with its facts, from desired and observed state. */
export function processReport(wanted: Wanted, observed: Observed | undefined): ProcessReport {
  const state = stateOf(wanted, observed);
  const isWanted = wanted.isOn && wanted.hasSource;
  const progress = state === 'live' ? observed?.progress : undefined;
  return {
    state,
    since: iso(sinceOf(state, observed)),
    failures: observed?.failures ?? 0,
    starts: observed?.starts ?? 0,
    failure: isWanted && observed?.failure ? { ...observed.failure, at: iso(observed.failure.at) } : null,
    nextTry: isWanted ? iso(observed?.nextTryAt) : '',
    lastExit: observed?.lastExit ?? null,
    numbers: progress
      ? {
          fps: progress.fps ?? null,
          kbps: progress.kbps ?? null,
          speed: progress.speed ?? null,
          droppedFrames: progress.droppedFrames,
          mediaMs: progress.mediaMs,
        }
      : null,
  };
}

/** The fields of a status row that clients of the older product read. Absent while there is nothing to say. */
export function runFields(observed: Observed | undefined): {
  start?: string;
  ready?: string;
  frame?: { log: string; update: string };
} {
  if (observed?.startedAt === undefined) return {};
  const { startedAt, readyAt, progress } = observed;
  return {
    start: iso(startedAt),
    ready: iso(readyAt),
    ...(progress ? { frame: { log: progress.log, update: iso(progress.at) } } : {}),
  };
}

function stateOf({ isOn, hasSource }: Wanted, observed: Observed | undefined): ProcessState {
  const phase = observed?.phase ?? 'idle';
  const isThere = phase === 'starting' || phase === 'running' || phase === 'stopping';
  if (!isOn) return isThere ? 'stopping' : 'off';
  if (!hasSource) return 'waiting';
  if (phase === 'running') return 'live';
  // The old process ends so that the new one can start: no requested stop.
  const { failures = 0, wasLive = false } = observed ?? {};
  if (failures === 0 || phase === 'idle' || phase === 'stopping') return 'starting';
  return wasLive && failures <= reconnectTries ? 'reconnecting' : 'failing';
}

/** When the state began, not the phase: while it fails, starting and waiting take turns. */
function sinceOf(state: ProcessState, observed: Observed | undefined): Date | undefined {
  if (!observed) return undefined;
  if (state === 'live') return observed.readyAt ?? observed.since;
  if (state === 'reconnecting' || state === 'failing') return observed.failingSince ?? observed.since;
  return observed.since;
}

function iso(date: Date | undefined): string {
  return date?.toISOString() ?? '';
}
