import { type AiLimits, type AiUsageReport, aiFeatures } from '@weir/contract';
import type { AiMeter } from '../../ai/meter/ai-meter.ts';

/** Usage for the console: today by feature and host, earlier by day. */
export async function usageReport(meter: AiMeter, limits: AiLimits): Promise<AiUsageReport> {
  const { day, rows } = await meter.today();
  const days = new Map<string, AiUsageReport['days'][number]>();
  for (const row of await meter.history()) {
    const sum = days.get(row.day) ?? { day: row.day, calls: 0, errors: 0, audioSeconds: 0, tokens: 0 };
    days.set(row.day, {
      day: row.day,
      calls: sum.calls + row.calls,
      errors: sum.errors + row.errors,
      audioSeconds: sum.audioSeconds + row.audioSeconds,
      tokens: sum.tokens + row.tokens,
    });
  }
  return {
    day,
    today: rows.map(({ day: _day, ...row }) => row),
    days: [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1)),
    limits,
    paused: await pausedFeatures(meter),
  };
}

/** Features whose limit of today is reached. */
export async function pausedFeatures(meter: AiMeter): Promise<AiUsageReport['paused']> {
  const paused = await Promise.all(aiFeatures.map((feature) => meter.isReached(feature)));
  return aiFeatures.filter((_, index) => paused[index]);
}
