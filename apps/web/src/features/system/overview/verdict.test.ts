import { expect, it } from 'vitest';
import { anAlert, runningStatus } from '../../../testing/fake-server.ts';
import { serverVerdict } from './verdict.ts';

const { health } = runningStatus;
const guessing = anAlert({});
const failing = anAlert({ severity: 'bad' });

it.each([
  ['all is well', { health, alerts: [] }, 'overview.running'],
  ['there is an alert', { health, alerts: [guessing] }, 'overview.attention'],
  [
    'the disk is full',
    { health: { ...health, disk: { ...health.disk, ok: false } }, alerts: [] },
    'overview.attention',
  ],
  ['the store is gone', { health: { ...health, store: { ok: false } }, alerts: [guessing] }, 'overview.failing'],
  [
    'the engine is gone',
    { health: { ...health, engine: { ...health.engine, ok: false } }, alerts: [] },
    'overview.failing',
  ],
])('has a verdict when %s', (_case, status, word) => {
  expect(serverVerdict(status, []).word).toBe(word);
});

it('has the tone of the worst alert', () => {
  expect(serverVerdict({ health, alerts: [guessing] }, []).tone).toBe('warn');
  expect(serverVerdict({ health, alerts: [guessing, failing] }, []).tone).toBe('bad');
});
