import { sessions } from '@weir/contract';
import { expect, it } from 'vitest';
import { issueToken } from './session-tokens.ts';
import { VerifiedTokens } from './verified-tokens.ts';

const parts = { apiSecret: 'srs-v2-0123', salt: 'salt' };
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const refused = { kind: 'token' };

it('knows a token again, and no other', async () => {
  const tokens = new VerifiedTokens();
  const { token } = await issueToken(parts, 'a', nowMs);
  expect(await tokens.sessionOf(parts, token, nowMs)).toBe('a');
  expect(await tokens.sessionOf(parts, token, nowMs)).toBe('a');
  const other = `${token.slice(0, -8)}AAAAAAAA`;
  await expect(tokens.sessionOf(parts, other, nowMs)).rejects.toMatchObject(refused);
});

it('forgets every token with the key that signed it', async () => {
  const tokens = new VerifiedTokens();
  const { token } = await issueToken(parts, 'a', nowMs);
  await tokens.sessionOf(parts, token, nowMs);
  for (const replaced of [
    { ...parts, salt: 'new' },
    { ...parts, apiSecret: 'new' },
  ]) {
    await expect(tokens.sessionOf(replaced, token, nowMs)).rejects.toMatchObject(refused);
  }
  expect(await tokens.sessionOf(parts, token, nowMs)).toBe('a');
});

it('lets no token outlive its end', async () => {
  const tokens = new VerifiedTokens();
  const { token } = await issueToken(parts, 'a', nowMs);
  expect(await tokens.sessionOf(parts, token, nowMs)).toBe('a');
  expect(await tokens.sessionOf(parts, token, nowMs + sessions.lifeMs - 1000)).toBe('a');
  await expect(tokens.sessionOf(parts, token, nowMs + sessions.lifeMs)).rejects.toMatchObject(refused);
});
