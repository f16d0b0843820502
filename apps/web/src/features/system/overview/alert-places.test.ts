import { expect, it } from 'vitest';
import { activityMarks, mergeMarks } from './alert-places.ts';

it('gives every feature that is set up a dot, with the worse of its state and its alerts', () => {
  const states = activityMarks({ forward: 'failing', record: 'running', vlive: 'idle', camera: 'degraded' });
  expect(states).toEqual({
    forward: { tone: 'bad' },
    record: { tone: 'ok' },
    vlive: { tone: 'off' },
    camera: { tone: 'warn' },
  });
  const alerts = { forward: { tone: 'warn', alerts: 1 }, record: { tone: 'warn', alerts: 2 } } as const;
  expect(mergeMarks(states, alerts)).toMatchObject({
    forward: { tone: 'bad', alerts: 1 },
    record: { tone: 'warn', alerts: 2 },
    vlive: { tone: 'off' },
  });
  expect(activityMarks(undefined)).toEqual({});
});
