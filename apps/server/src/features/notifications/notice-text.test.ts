import { notificationTopics } from '@weir/contract';
import { expect, it } from 'vitest';
import type { NotedProblem } from './notice-plan.ts';
import { composeMessage } from './notice-text.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const english = { language: 'en', server: 'weir.test', address: 'https://weir.test', zone: 'UTC' } as const;
const chinese = { ...english, language: 'zh' } as const;

function noted(change: Partial<NotedProblem> = {}): NotedProblem {
  return {
    key: 'output forward youtube',
    topic: 'output',
    severity: 'bad',
    since: '2026-03-01T11:58:00Z',
    count: 1,
    subject: 'youtube',
    label: 'YouTube',
    cause: 'key-refused',
    page: 'scenario',
    tab: 'forward',
    stream: '',
    isPending: true,
    goneAtMs: 0,
    ...change,
  };
}

const of = (began: NotedProblem[], ended: NotedProblem[] = []) => ({ began, ended, passed: [] });

it('one problem is the title of its message, which says since when and where to go', () => {
  const message = composeMessage(of([noted()]), english, nowMs);
  expect(message).toMatchObject({
    title: '[weir.test] Forwarding to YouTube is failing',
    lines: ['\u{1F534} Forwarding to YouTube is failing The destination rejected the stream key. (since 11:58)'],
    tone: 'bad',
    link: 'https://weir.test/mgmt/en/routers-scenario?tab=forward',
  });
  const { title, lines } = composeMessage(of([noted()]), chinese, nowMs);
  expect([title, ...lines]).toEqual([
    '[weir.test] 转推到“YouTube”失败',
    '\u{1F534} 转推到“YouTube”失败 目标拒绝了推流码。 (开始于 11:58)',
  ]);
});

it('an end says how long the problem lasted', () => {
  const over = noted({ goneAtMs: nowMs });
  expect(composeMessage(of([], [over]), english, nowMs)).toMatchObject({
    title: '[weir.test] Resolved: Forwarding to YouTube is failing',
    lines: ['\u{1F7E2} Resolved: Forwarding to YouTube is failing (11:58 to 12:00)'],
    tone: 'good',
  });
});

it('many problems are counted, the worst are listed first, and the rest is a number', () => {
  const mild = Array.from({ length: 12 }, (_, index) =>
    noted({ key: `m${index}`, topic: 'stream', severity: 'warn', subject: `live/${index}`, cause: 'fps-low' }),
  );
  const { title, lines, tone } = composeMessage(of([...mild, noted()], [noted({ goneAtMs: nowMs })]), english, nowMs);
  expect(title).toBe('[weir.test] 13 problems, 1 problem resolved');
  expect(lines).toHaveLength(11);
  expect(lines[0]).toContain('YouTube');
  expect(lines[1]).toContain('live/0: frame rate too low');
  expect(lines.at(-1)).toBe('and 4 more');
  expect(tone).toBe('bad');
});

it('every alert has words in both languages', () => {
  for (const topic of notificationTopics) {
    for (const setting of [english, chinese]) {
      for (const severity of ['bad', 'warn'] as const) {
        const cause = topic === 'server' ? 'disk-full' : 'stalled';
        const { title, lines } = composeMessage(of([noted({ topic, severity, cause })]), setting, nowMs);
        const text = [title, ...lines].join(' ');
        expect(text, topic).not.toMatch(/undefined|\[object|NaN/);
        expect(/\p{Script=Han}/u.test(text), `${topic} in ${setting.language}`).toBe(
          setting === chinese || (topic === 'server' && false),
        );
      }
    }
  }
});
