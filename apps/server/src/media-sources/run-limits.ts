/** Bounds of one run that stand in the query of a source's address, where clients of the older product put them. */
export interface RunLimits {
  readonly longestMs?: number;
  readonly fastLimit?: number;
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `max-stream-duration` as in `15s`, `1h30m` or `1500ms`; `abnormal-fast-speed` as in `3.5`. What cannot be read counts as absent. */
export function runLimits(query: URLSearchParams): RunLimits {
  const longestMs = durationMs(query.get('max-stream-duration') ?? '');
  const fast = Number(query.get('abnormal-fast-speed') ?? Number.NaN);
  return { ...(longestMs > 0 && { longestMs }), ...(fast > 0 && fast < 1e6 && { fastLimit: fast }) };
}

function durationMs(text: string): number {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/.test(text)) return 0;
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return Math.round(parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0));
}
