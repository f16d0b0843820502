import type { LocalAiProcess } from '@weir/contract';
import { residentBytes } from '@weir/process';
import type { LocalAiSupervisor } from './local-ai-supervisor.ts';

/** The process of built-in AI as people see it. */
export function processReport(keeper: LocalAiSupervisor): LocalAiProcess {
  const { startedAtMs, lastExit, ...state } = keeper.state();
  return {
    ...state,
    startedAt: new Date(startedAtMs).toISOString(),
    memoryBytes: residentBytes(state.pid),
    lastExit: lastExit ?? null,
  };
}
