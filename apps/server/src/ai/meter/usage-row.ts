import { AiFeature, AiUsage } from '@weir/contract';
import * as z from 'zod';

/** Usage of one host by one feature on one day. */
export const UsageRow = AiUsage.extend({ feature: AiFeature, day: z.string() });
export type UsageRow = z.output<typeof UsageRow>;

export function blankRow(day: string, feature: AiFeature, host: string): UsageRow {
  return { day, feature, host, calls: 0, errors: 0, audioSeconds: 0, tokens: 0, delayMs: 0, lastCause: null };
}

export function usageKey({ day, feature, host }: Pick<UsageRow, 'day' | 'feature' | 'host'>): string {
  return `${day}/${feature}/${host}`;
}

/** Day in UTC, so that it is the same for every reader. */
export function toUtcDay(dateMs: number): string {
  return new Date(dateMs).toISOString().slice(0, 10);
}
