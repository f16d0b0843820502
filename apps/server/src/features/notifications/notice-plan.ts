import { matchingGlob, type NotificationRules, notificationTopics } from '@weir/contract';
import * as z from 'zod';
import { minuteOfDay } from './notice-clock.ts';
import { hidesOthers, type Problem } from './problem.ts';

/** A problem that a channel has reported or will report. It is kept until its end is reported too. */
export const NotedProblem = z.object({
  key: z.string(),
  topic: z.enum(notificationTopics),
  severity: z.enum(['bad', 'warn']),
  since: z.string(),
  count: z.number(),
  subject: z.string(),
  label: z.string(),
  cause: z.string(),
  page: z.enum(['scenario', 'settings']),
  tab: z.string(),
  stream: z.string(),
  /** The channel has not been told of it yet. */
  isPending: z.boolean(),
  /** Since when it is absent; 0 while it lasts. */
  goneAtMs: z.number(),
});
export type NotedProblem = z.output<typeof NotedProblem>;

/** One message to one channel. */
export interface Notice {
  readonly began: readonly NotedProblem[];
  /** Began and ended before the message, which is a summary. */
  readonly passed: readonly NotedProblem[];
  readonly ended: readonly NotedProblem[];
}

interface Plan {
  /** Undefined if nothing is to be sent now. */
  readonly notice: Notice | undefined;
  readonly noted: readonly NotedProblem[];
  /** The same once the notice has arrived. */
  readonly notedAfter: readonly NotedProblem[];
}

interface Given {
  readonly rules: NotificationRules;
  readonly noted: readonly NotedProblem[];
  readonly problems: readonly Problem[];
  readonly nowMs: number;
  /** Earliest time of the next message. */
  readonly notBeforeMs: number;
}

/** A problem that returns within this time has not ended. */
export const settleMs = 30_000;

/** Of more problems at once a channel is not told. */
const mostNoted = 2000;

/** Decides what a channel is told now. Pure: the caller sends, and stores the state. */
export function planNotice({ rules, noted: before, problems, nowMs, notBeforeMs }: Given): Plan {
  const isSummary = rules.digest !== 'none';
  const meant = problems.filter((problem) => isMeant(problem, rules));
  const current = new Set(meant.map(({ key }) => key));
  const isBlind = problems.some(hidesOthers);
  const known = new Set(before.map(({ key }) => key));
  const isOver = ({ goneAtMs }: NotedProblem) => goneAtMs > 0 && nowMs - goneAtMs >= settleMs;
  const noted = [
    ...before.map((one) => {
      if (current.has(one.key)) return { ...one, goneAtMs: 0 };
      return one.goneAtMs > 0 || isBlind ? one : { ...one, goneAtMs: nowMs };
    }),
    ...meant
      .filter(({ key }) => !known.has(key))
      .slice(0, Math.max(0, mostNoted - before.length))
      .map((problem) => ({ ...problem, isPending: true, goneAtMs: 0 })),
  ].filter((one) => !isOver(one) || (one.isPending ? isSummary : rules.resolved));
  const isQuiet = rules.quiet.on && isWithin(rules.quiet, minuteOfDay(nowMs, rules.zone));
  const isSent = (one: NotedProblem) => !isQuiet || (rules.quietExceptBad && one.severity === 'bad');
  const pending = noted.filter((one) => one.isPending && isSent(one));
  const notice = {
    began: pending.filter(({ goneAtMs }) => goneAtMs === 0),
    passed: isSummary ? pending.filter(isOver) : [],
    ended: isQuiet ? [] : noted.filter((one) => !one.isPending && isOver(one)),
  };
  const told = new Set([notice.began, notice.passed, notice.ended].flat());
  if (told.size === 0 || nowMs < notBeforeMs) return { notice: undefined, noted, notedAfter: noted };
  const notedAfter = noted.flatMap((one) => {
    if (!told.has(one)) return [one];
    return notice.began.includes(one) ? [{ ...one, isPending: false }] : [];
  });
  return { notice, noted, notedAfter };
}

function isMeant(problem: Problem, { topics, severity, streams }: NotificationRules): boolean {
  if (topics.length > 0 && !topics.includes(problem.topic)) return false;
  if (severity === 'bad' && problem.severity !== 'bad') return false;
  if (streams.length === 0 || problem.stream === '') return true;
  return matchingGlob(streams, problem.stream) !== undefined;
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

function isWithin({ from, to }: NotificationRules['quiet'], minute: number): boolean {
  const [start, end] = [minuteOf(from), minuteOf(to)];
  return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Hour of the daily summary, in the zone of the channel. */
const summaryMinute = 9 * 60;

/** Time of the next summary after `lastMs`. */
export function nextSummaryMs({ digest, zone }: NotificationRules, lastMs: number): number {
  const minute = minuteOfDay(lastMs, zone);
  const start = Math.floor(lastMs / minuteMs) * minuteMs;
  if (digest === 'hour') return start + (60 - (minute % 60)) * minuteMs;
  return start + ((summaryMinute - minute + dayMinutes - 1) % dayMinutes) * minuteMs + minuteMs;
}

/**
 * Least time between two messages, by their number in a row. A storm of alerts gets slower messages, each with all that happened
 * meanwhile; after some quiet the next one is sent at once again.
 */
const gapsMs = [0, 10_000, 30_000, 2 * minuteMs, 10 * minuteMs];
const calmMs = 10 * minuteMs;

/** Counts messages in a row. */
export class NoticePace {
  #inARow = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  notBeforeMs(): number {
    return this.#lastMs + (gapsMs[Math.min(this.#inARow, gapsMs.length - 1)] ?? 0);
  }

  sent(nowMs: number): void {
    this.#inARow = nowMs - this.#lastMs > calmMs ? 1 : this.#inARow + 1;
    this.#lastMs = nowMs;
  }
}
