import type { LocalAiProcess } from '@weir/contract';
import { residentBytes } from '../../core/resident-bytes.ts';
import type { LocalAiSupervisor } from './local-ai-supervisor.ts';

/** The process of built-in AI as people see it. */
export async function processReport(keeper: LocalAiSupervisor): Promise<LocalAiProcess> {
  const { startedAtMs, lastExit, ...state } = keeper.state();
  return {
    ...state,
    startedAt: new Date(startedAtMs).toISOString(),
    memoryBytes: await residentBytes(state.pid),
    lastExit: lastExit
      ? {
          at: new Date(lastExit.atMs).toISOString(),
          reason: lastExit.reason,
          code: lastExit.code,
          signal: lastExit.signal,
        }
      : null,
  };
}
