import { sessions } from '@weir/contract';
import { expect, it } from 'vitest';
import { issueToken, newSessionId, readToken } from './session-tokens.ts';

const parts = { apiSecret: 'srs-v2-0', salt: 'salt' };
const dayMs = 24 * 3600_000;
const nowMs = Date.parse('2026-05-01T12:00:00Z');

it.each([
  ['was a day ahead then', dayMs],
  ['was a year ahead then', 365 * dayMs],
  ['was ten days behind then', -10 * dayMs],
])('F12: keeps a session whose clock %s', async (_name, aheadMs) => {
  const id = newSessionId();
  const { token } = await issueToken(parts, id, nowMs + aheadMs);
  expect(await readToken(parts, token, nowMs)).toMatchObject({ sessionId: id });
});

it('ends a session when its time is over', async () => {
  const { token } = await issueToken(parts, newSessionId(), nowMs - sessions.lifeMs - 1000);
  await expect(readToken(parts, token, nowMs)).rejects.toMatchObject({ kind: 'token' });
});
