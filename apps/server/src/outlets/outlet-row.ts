import type { Outlet, OutletRow } from '@weir/contract';
import type { Observed } from '@weir/process';
import { processReport, runFields } from '../processes/process-report.ts';

/** What a slot does now, without its address and key. `hasSource`: it has something to send. */
export function outletRow(slot: Outlet, hasSource: boolean, observed: Observed | undefined): OutletRow {
  const { platform, enabled, custom, label } = slot;
  const process = processReport({ isOn: enabled, hasSource }, observed);
  return { platform, enabled, custom, label, ...runFields(observed), process };
}
