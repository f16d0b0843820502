import { sessions } from '@weir/contract';
import { expect, it } from 'vitest';
import { issueToken } from './session-tokens.ts';
import { VerifiedTokens } from './verified-tokens.ts';

const parts = { apiSecret: 'srs-v2-0123', salt: 'salt' };
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const refused = { kind: 'token' };

it('recognises a verified token, and no other', async () => {
  const tokens = new VerifiedTokens();
  const { token } = await issueToken(parts, 'a', nowMs);
  expect(await tokens.sessionOf(parts, token, nowMs)).toBe('a');
  expect(await tokens.sessionOf(parts, token, nowMs)).toBe('a');
  const other = `${token.slice(0, -8)}AAAAAAAA`;
  await expect(tokens.sessionOf(parts, other, nowMs)).rejects.toMatchObject(refused);
});

it('drops every token when the signing key changes', async () => {
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

it('refuses a token after it expires', async () => {
  const tokens = new VerifiedTokens();
  const { token } = await issueToken(parts, 'a', nowMs);
  expect(await tokens.sessionOf(parts, token, nowMs)).toBe('a');
  expect(await tokens.sessionOf(parts, token, nowMs + sessions.lifeMs - 1000)).toBe('a');
  await expect(tokens.sessionOf(parts, token, nowMs + sessions.lifeMs)).rejects.toMatchObject(refused);
});
