import type { Activity, Outlet, OutletRow, ProcessReport } from '@weir/contract';
import type { Observed } from '@weir/process';
import { processReport, runFields } from '../process-reports/process-report.ts';
import type { LiveInputs } from './live-inputs.ts';
import { outletUrl } from './outlet-url.ts';

interface Facts {
  /** True if it has something to send. */
  readonly hasSource: boolean;
  readonly observed: Observed | undefined;
  readonly inputs: LiveInputs;
}

/** Current state of a slot, without its address and key. */
export async function outletRow(slot: Outlet, { hasSource, observed, inputs }: Facts): Promise<OutletRow> {
  const { platform, enabled, custom, label } = slot;
  const process = processReport({ isOn: enabled, hasSource }, observed);
  const outputStream = enabled ? await inputs.ownStreamOf(outletUrl(slot)) : undefined;
  return {
    platform,
    enabled,
    custom,
    label,
    ...(outputStream !== undefined && { outputStream }),
    ...runFields(observed),
    process,
  };
}

/** State of all processes of a feature together, the worst first. */
export function processActivity(reports: readonly Pick<ProcessReport, 'state'>[]): Activity | undefined {
  const has = (...states: ProcessReport['state'][]) => reports.some(({ state }) => states.includes(state));
  if (has('failing')) return 'failing';
  if (has('reconnecting')) return 'degraded';
  if (has('live', 'starting')) return 'running';
  return reports.length > 0 ? 'idle' : undefined;
}
