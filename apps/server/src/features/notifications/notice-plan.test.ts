import { type NotificationRules, notificationsApi } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { type NotedProblem, NoticePace, nextSummaryMs, planNotice, settleMs } from './notice-plan.ts';
import type { Problem } from './problem.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;

function problem(change: Partial<Problem> = {}): Problem {
  return {
    ...({ key: 'worker live srt', topic: 'worker', severity: 'bad', since: '2026-03-01T11:59:58Z', count: 1 } as const),
    ...({ subject: 'srt', label: '', cause: '', page: 'scenario', tab: 'live', stream: '' } as const),
    ...change,
  };
}

const ofStream = (stream: string, severity: Problem['severity'] = 'bad') =>
  problem({ key: `stream ${stream}`, topic: 'stream', subject: stream, stream, severity });

function rulesOf(rules: object = {}): NotificationRules {
  const body = { name: 'x', service: 'webhook', fields: {}, rules } as const;
  return notificationsApi.save.body.parse(body).rules;
}

/** A channel over time: what it is told at each look. */
function channel(rules: object = {}) {
  let noted: readonly NotedProblem[] = [];
  return {
    look(problems: readonly Problem[], atMs: number, { arrives = true, notBeforeMs = 0 } = {}) {
      const plan = planNotice({ rules: rulesOf(rules), noted, problems, nowMs: atMs, notBeforeMs });
      noted = plan.notice && arrives ? plan.notedAfter : plan.noted;
      const keysOf = (list: readonly NotedProblem[] = []) => list.map(({ key }) => key);
      return plan.notice && [keysOf(plan.notice.began), keysOf(plan.notice.passed), keysOf(plan.notice.ended)];
    },
    noted: () => noted,
  };
}

describe('what a channel is told', () => {
  it('is each problem once, and its end after it has stayed away', () => {
    const one = channel();
    const { key } = problem();
    expect(one.look([problem()], noon)).toEqual([[key], [], []]);
    expect(one.look([problem({ count: 2 })], noon + 3000)).toBeUndefined();
    expect(one.look([], noon + 6000)).toBeUndefined();
    expect(one.look([problem()], noon + 20_000), 'a short absence is no end').toBeUndefined();
    expect(one.look([], noon + 30_000)).toBeUndefined();
    expect(one.look([], noon + 30_000 + settleMs)).toEqual([[], [], [key]]);
    expect(one.noted()).toEqual([]);
  });

  it('is tried again while messages do not arrive, and not once the problem is over', () => {
    const one = channel();
    expect(one.look([problem()], noon, { arrives: false })).toBeDefined();
    expect(one.look([problem()], noon + 10_000)).toBeDefined();
    const other = channel();
    other.look([problem()], noon, { arrives: false });
    other.look([], noon + 3000);
    expect(other.look([], noon + 3000 + settleMs)).toBeUndefined();
    expect(other.noted()).toEqual([]);
  });

  it('leaves out ends if nobody wants them', () => {
    const one = channel({ resolved: false });
    one.look([problem()], noon);
    one.look([], noon + 3000);
    expect(one.look([], noon + 3000 + settleMs)).toBeUndefined();
    expect(one.look([problem()], noon + 10 * minuteMs), 'the next one is new').toBeDefined();
  });

  it.each([
    [{ topics: ['stream'] }, ['stream live/a', 'stream news/b']],
    [{ topics: ['worker'] }, ['worker live srt']],
    [{ severity: 'bad' }, ['worker live srt', 'stream news/b']],
    [{ streams: ['live/*'] }, ['worker live srt', 'stream live/a']],
    [{ streams: ['/news/b'], severity: 'bad', topics: ['stream'] }, ['stream news/b']],
  ])('follows the rules %j', (rules, keys) => {
    const all = [problem(), ofStream('live/a', 'warn'), ofStream('news/b')];
    expect(channel(rules).look(all, noon)?.[0]).toEqual(keys);
  });

  it('has no ends that are only unknown, while the settings cannot be read', () => {
    const away = problem({ key: 'store  away', topic: 'store', cause: 'away' });
    const one = channel();
    one.look([problem()], noon);
    expect(one.look([away], noon + 3000)).toEqual([[away.key], [], []]);
    expect(one.look([away], noon + 5 * minuteMs)).toBeUndefined();
    expect(one.look([problem()], noon + 6 * minuteMs)).toBeUndefined();
    expect(one.look([problem()], noon + 7 * minuteMs)).toEqual([[], [], [away.key]]);
  });

  it('of a thousand problems at once is one message', () => {
    const one = channel();
    const storm = Array.from({ length: 1000 }, (_, number) => ofStream(`live/${number}`));
    expect(one.look(storm, noon)?.[0]).toHaveLength(1000);
    expect(one.look(storm, noon + 3000)).toBeUndefined();
    const flood = Array.from({ length: 5000 }, (_, number) => ofStream(`news/${number}`));
    expect(one.look([...storm, ...flood], noon + 6000)?.[0]).toHaveLength(1000);
    expect(one.noted()).toHaveLength(2000);
    expect(one.look([...storm, ...flood], noon + 9000)).toBeUndefined();
  });
});

describe('quiet hours', () => {
  const quiet = { on: true, from: '22:00', to: '07:00' };
  const night = Date.parse('2026-03-01T23:00:00Z');
  const morning = Date.parse('2026-03-02T07:00:00Z');

  it('hold back what is not bad until they end, if it lasts until then', () => {
    const one = channel({ quiet, zone: 'UTC' });
    const [mild, short] = [ofStream('live/a', 'warn'), ofStream('live/b', 'warn')];
    expect(one.look([mild, short], night)).toBeUndefined();
    expect(one.look([mild, problem()], night + 3000)).toEqual([[problem().key], [], []]);
    expect(one.look([mild], night + 10 * minuteMs)).toBeUndefined();
    expect(one.look([mild], morning - 1)).toBeUndefined();
    expect(one.look([mild], morning)).toEqual([[mild.key], [], [problem().key]]);
  });

  it('hold back everything if the owner wants so, by the clock of the time zone', () => {
    const one = channel({ quiet, quietExceptBad: false, zone: 'Asia/Shanghai' });
    expect(one.look([problem()], Date.parse('2026-03-01T14:00:00Z')), '22:00 there').toBeUndefined();
    expect(one.look([problem()], Date.parse('2026-03-01T22:59:00Z'))).toBeUndefined();
    expect(one.look([problem()], Date.parse('2026-03-01T23:00:00Z')), '07:00 there').toBeDefined();
  });
});

describe('summaries', () => {
  it('report what began and what passed since the last one', () => {
    const one = channel({ digest: 'hour' });
    const [short, long] = [ofStream('live/a'), ofStream('live/b')];
    const wait = { notBeforeMs: noon + 60 * minuteMs };
    expect(one.look([short, long], noon, wait)).toBeUndefined();
    expect(one.look([long], noon + 3000, wait)).toBeUndefined();
    expect(one.look([long], noon + 60 * minuteMs, wait)).toEqual([[long.key], [short.key], []]);
    expect(one.noted().map(({ key }) => key)).toEqual([long.key]);
  });

  it.each([
    ['hour', '2026-03-01T12:00:00Z', '2026-03-01T13:00:00.000Z'],
    ['hour', '2026-03-01T12:59:59Z', '2026-03-01T13:00:00.000Z'],
    ['day', '2026-03-01T12:00:30Z', '2026-03-02T01:00:00.000Z'],
    ['day', '2026-03-01T00:59:59Z', '2026-03-01T01:00:00.000Z'],
    ['day', '2026-03-01T01:00:00Z', '2026-03-02T01:00:00.000Z'],
  ])('are due by the clock: %s after %s', (digest, last, next) => {
    const rules = rulesOf({ digest, zone: 'Asia/Shanghai' });
    expect(new Date(nextSummaryMs(rules, Date.parse(last))).toISOString()).toBe(next);
  });
});

it('slows down messages in a row, and is quick again after a calm', () => {
  const pace = new NoticePace();
  const times: number[] = [];
  for (let nowMs = noon; nowMs < noon + 30 * minuteMs; nowMs += 3000) {
    if (nowMs < pace.notBeforeMs()) continue;
    pace.sent(nowMs);
    times.push((nowMs - noon) / 1000);
  }
  expect(times).toEqual([0, 12, 42, 162, 762, 1362]);
  pace.sent(noon + 60 * minuteMs);
  expect(pace.notBeforeMs()).toBe(noon + 60 * minuteMs + 10_000);
});
