import type { PlaneName } from '@weir/plane';

const planeNames: readonly string[] = ['engine', 'server'] satisfies PlaneName[];

/**
 * The plane to restart for a plane that asks, if any. The media plane meets strangers; only the control plane, which
 * knows who its callers are, may ask.
 */
export function restartTarget(asking: PlaneName, wanted: unknown): PlaneName | undefined {
  return asking === 'server' && isPlaneName(wanted) ? wanted : undefined;
}

function isPlaneName(value: unknown): value is PlaneName {
  return typeof value === 'string' && planeNames.includes(value);
}
