import type { Alert } from '@weir/contract';

/** Source of alerts. */
export interface AlertSource {
  readonly alerts?: () => readonly Alert[] | Promise<readonly Alert[]>;
}

/** Sorts by severity, then age. A failing source of alerts does not hide the others; health reports it. */
export async function gatherAlerts(sources: readonly AlertSource[]): Promise<Alert[]> {
  const told = await Promise.all(sources.map(async ({ alerts }) => alerts?.() ?? []).map((one) => one.catch(() => [])));
  return told.flat().sort((a, b) => rank(a) - rank(b) || (a.since < b.since ? 1 : -1));
}

function rank({ severity }: Alert): number {
  return severity === 'bad' ? 0 : 1;
}
