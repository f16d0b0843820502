import { HookDelivery } from '@weir/contract';
import { expect, it } from 'vitest';
import { callbackAlert } from './callback-alert.ts';

const settings = { all: true, target: 'http://receiver.test/' };
const minute = (number: number) => `2026-01-01T00:${String(number).padStart(2, '0')}:00.000Z`;
const delivery = (at: number, facts: Partial<HookDelivery> = {}) =>
  HookDelivery.parse({
    request_id: String(at),
    action: 'on_unpublish',
    stream: 'live/show',
    state: 'delivered',
    attempts: 1,
    createdAt: minute(at),
    triedAt: minute(at),
    nextAt: '',
    status: 200,
    tookMs: 1,
    error: '',
    req: '',
    res: '',
    ...facts,
  });
const failing = { state: 'waiting', failure: 'no-connection' } as const;
const alertsOf = (deliveries: HookDelivery[], judgedFrom = '', over = settings) =>
  callbackAlert({ settings: over, deliveries, judgedFrom });

it('raises an alert since the first event that the receiver did not accept', () => {
  const untried = delivery(4, { state: 'waiting', triedAt: '' });
  expect(
    alertsOf([delivery(1), delivery(2, { state: 'failed', failure: 'timeout' }), delivery(3, failing), untried]),
  ).toEqual([
    {
      kind: 'callback',
      severity: 'bad',
      since: minute(2),
      count: 2,
      cause: 'no-connection',
      subject: '',
      label: '',
      place: { page: 'settings', tab: 'callback', child: '' },
    },
  ]);
});

it('clears the alert with the next accepted event, another receiver, or callbacks switched off', () => {
  const list = [delivery(2, failing), delivery(1)];
  expect(alertsOf([...list, delivery(3)])).toEqual([]);
  expect(alertsOf(list, minute(3))).toEqual([]);
  expect(alertsOf(list, '', { ...settings, all: false })).toEqual([]);
});

it('raises no alert when the receiver refuses a publisher, but does when its page is missing', () => {
  const no = { action: 'on_publish', state: 'refused' } as const;
  expect(alertsOf([delivery(1, { ...no, failure: 'code', fact: '7' })])).toEqual([]);
  expect(alertsOf([delivery(1, { ...no, failure: 'status', fact: '403' })])).toEqual([]);
  expect(alertsOf([delivery(1, { ...no, failure: 'status', fact: '404' })])).toHaveLength(1);
});
