import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { defaultVhost, type PlayRule, type TokenKey } from '@weir/streams';
import { expect, it } from 'vitest';
import { decidePlay, type PlayFacts, type PlayWish, passwordClaim } from './decide-play.ts';
import { type PlaybackClaims, writePlaybackToken } from './playback-token.ts';

const nowMs = 1_800_000_000_000;
const now = nowMs / 1000;
const key = { id: 'k1', secret: 'a'.repeat(43) };
const older = { id: 'k0', secret: 'b'.repeat(43) };
const playback = 'abcdefgh12345678';
const place = { vhost: defaultVhost, app: 'live', name: 'stage' };

const base: PlayRule = {
  id: 'rule',
  pattern: '/live/stage',
  mode: 'link',
  sites: [],
  networks: [],
  maxViewers: 0,
  maxPerLink: 0,
  passwordId: 'p1',
  tokenKeys: [],
};
const claims: PlaybackClaims = {
  playback,
  stream: '',
  id: 'link1',
  startsAt: 0,
  expiresAt: now + 60,
  devices: 0,
  address: '',
};
const wish: PlayWish = { place, playback, token: '', address: '192.0.2.1', site: '' };
const facts: PlayFacts = {
  keys: [key, older],
  isRevoked: (link) => link === 'gone' || link === 'rule.gone',
  viewers: () => 3,
  viewersOf: () => 2,
  nowMs,
};

const own = (change: Partial<PlaybackClaims> = {}, by = key) => writePlaybackToken(by, { ...claims, ...change });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const backendSecret = 'secret of the backend, long enough';
const hs256: TokenKey = { id: '', algorithm: 'HS256', secret: backendSecret, publicKey: '' };
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rs256: TokenKey = {
  id: 'r1',
  algorithm: 'RS256',
  secret: '',
  publicKey: JSON.stringify(rsa.publicKey.export({ format: 'jwk' })),
};
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const es256: TokenKey = {
  id: 'e1',
  algorithm: 'ES256',
  secret: '',
  publicKey: JSON.stringify(ec.publicKey.export({ format: 'jwk' })),
};

function hmacToken(head: object, body: object, secret = backendSecret): string {
  const text = `${part(head)}.${part(body)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function rsaToken(body: object, head: object = { alg: 'RS256', kid: 'r1' }): string {
  const text = `${part(head)}.${part(body)}`;
  return `${text}.${sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`;
}

function ecToken(body: object): string {
  const text = `${part({ alg: 'ES256', kid: 'e1' })}.${part(body)}`;
  const signature = sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

const good = { stream: 'live/stage', exp: now + 60 };
const head = { alg: 'HS256', typ: 'JWT' };
const flipped = own().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));

const rows: readonly [string, Partial<PlayRule>, Partial<PlayWish>, string][] = [
  ['open, without anything', { mode: 'open' }, {}, 'allowed'],
  ['open, but full', { mode: 'open', maxViewers: 3 }, {}, 'full'],
  ['a callback', { mode: 'callback' }, { token: own() }, 'ask'],
  ['a callback for a full stream', { mode: 'callback', maxViewers: 2 }, {}, 'full'],
  ['no token', {}, {}, 'no-token'],
  ['a link', {}, { token: own() }, 'allowed'],
  ['a link of an older key', {}, { token: own({}, older) }, 'allowed'],
  ['a link of a key of the same id elsewhere', {}, { token: own({}, { id: 'k1', secret: 'c'.repeat(43) }) }, 'invalid'],
  ['a link of a key that is gone', {}, { token: own({}, { id: 'k9', secret: key.secret }) }, 'invalid'],
  ['a changed link', {}, { token: flipped }, 'invalid'],
  ['a link cut short', {}, { token: own().slice(0, -3) }, 'invalid'],
  ['no signature at all', {}, { token: `${part({ alg: 'none', kid: 'weir.k1' })}.${part(good)}.AA` }, 'invalid'],
  ['a link without an end', {}, { token: own({ expiresAt: Number.NaN }) }, 'invalid'],
  ['a link of another stream', {}, { token: own({ playback: 'zzzzzzzz12345678' }) }, 'other-stream'],
  ['a link for a stream without a playback id', {}, { token: own({ playback: '' }), playback: '' }, 'other-stream'],
  ['an expired link', {}, { token: own({ expiresAt: now }) }, 'expired'],
  ['a link before its start', {}, { token: own({ startsAt: now + 5 }) }, 'not-yet'],
  ['a revoked link', {}, { token: own({ id: 'gone' }) }, 'revoked'],
  ['a link at its address', {}, { token: own({ address: '192.0.2.1' }) }, 'allowed'],
  ['a link at another address', {}, { token: own({ address: '192.0.2.9' }) }, 'address'],
  ['a link with a free device', {}, { token: own({ devices: 3 }) }, 'allowed'],
  ['a link without a free device', {}, { token: own({ devices: 2 }) }, 'devices'],
  ['a link at the limit of all links', { maxPerLink: 2 }, { token: own({ devices: 9 }) }, 'devices'],
  ['a link for a full stream', { maxViewers: 3 }, { token: own() }, 'full'],
  ['a password', { mode: 'password' }, { token: own({ id: passwordClaim(base) }) }, 'allowed'],
  ['a password shared by many', { mode: 'password', maxPerLink: 1 }, { token: own({ id: 'password.p1' }) }, 'allowed'],
  ['an old password', { mode: 'password' }, { token: own({ id: 'password.p0' }) }, 'revoked'],
  ['a password where links are wanted', {}, { token: own({ id: 'password.p1' }) }, 'revoked'],
  ['a link where a password is asked for', { mode: 'password' }, { token: own() }, 'allowed'],
  ['a token of HS256', { mode: 'token', tokenKeys: [hs256] }, { token: hmacToken(head, good) }, 'allowed'],
  [
    'a token with the playback id',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken(head, { sub: playback, exp: now + 9 }) },
    'allowed',
  ],
  [
    'a token of another secret',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken(head, good, 'other') },
    'invalid',
  ],
  [
    'a token without an end',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken(head, { stream: 'live/stage' }) },
    'invalid',
  ],
  [
    'a token for all streams',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken(head, { exp: now + 60 }) },
    'other-stream',
  ],
  [
    'a token of another stream',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken(head, { ...good, stream: 'live/x' }) },
    'other-stream',
  ],
  [
    'a revoked token',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken(head, { ...good, jti: 'gone' }) },
    'revoked',
  ],
  ['a token where links are wanted', { tokenKeys: [hs256] }, { token: hmacToken(head, good) }, 'invalid'],
  [
    'a token that poses as one of ours',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken({ ...head, kid: 'weir.k1' }, good) },
    'invalid',
  ],
  ['a token of RS256', { mode: 'token', tokenKeys: [rs256] }, { token: rsaToken(good) }, 'allowed'],
  ['a token of ES256', { mode: 'token', tokenKeys: [rs256, es256] }, { token: ecToken(good) }, 'allowed'],
  [
    'a public key used as a secret',
    { mode: 'token', tokenKeys: [rs256] },
    { token: hmacToken({ alg: 'HS256', kid: 'r1' }, good, rs256.publicKey) },
    'invalid',
  ],
  [
    'a token of an unknown key',
    { mode: 'token', tokenKeys: [rs256] },
    { token: rsaToken(good, { alg: 'RS256', kid: 'r2' }) },
    'invalid',
  ],
  [
    'a token with extensions',
    { mode: 'token', tokenKeys: [hs256] },
    { token: hmacToken({ ...head, crit: ['b64'] }, good) },
    'invalid',
  ],
  ['noise', {}, { token: 'a.b.c' }, 'invalid'],
  ['an address of the network', { mode: 'open', networks: ['192.0.2.0/24'] }, {}, 'allowed'],
  ['an address outside of it', { mode: 'open', networks: ['198.51.100.0/24', '2001:db8::/32'] }, {}, 'network'],
  ['an address of IPv6', { mode: 'open', networks: ['2001:db8::/32'] }, { address: '2001:db8::9' }, 'allowed'],
  ['no address', { mode: 'open', networks: ['192.0.2.0/24'] }, { address: '' }, 'network'],
  ['an allowed site', { mode: 'open', sites: ['example.com'] }, { site: 'Example.com' }, 'allowed'],
  ['a name below an allowed one', { mode: 'open', sites: ['*.example.com'] }, { site: 'a.example.com' }, 'allowed'],
  ['a name that only ends alike', { mode: 'open', sites: ['*.example.com'] }, { site: 'badexample.com' }, 'site'],
  ['another site', { mode: 'open', sites: ['example.com'] }, { site: 'a.example.com' }, 'site'],
  ['a request that names no site', { mode: 'open', sites: ['example.com'] }, { site: '' }, 'site'],
  ['a page of this server', { mode: 'open', sites: ['example.com'] }, { site: 'same' }, 'allowed'],
  ['a protocol without pages', { mode: 'open', sites: ['example.com'] }, { site: undefined }, 'allowed'],
];

it.each(rows)('answers %s', (_title, rule, change, answer) => {
  const verdict = decidePlay({ ...base, ...rule }, { ...wish, ...change }, facts);
  expect(verdict.type === 'refused' ? verdict.reason : verdict.type).toBe(answer);
});

it('grants a link until it expires, and counts it by its id', () => {
  const verdict = decidePlay(base, { ...wish, token: own() }, facts);
  expect(verdict).toEqual({ type: 'allowed', grant: { link: 'link1', expiresAtMs: nowMs + 60_000 } });
});

it('counts tokens of a backend by rule and id, so that none stands for a link', () => {
  const rule: PlayRule = { ...base, mode: 'token', tokenKeys: [hs256] };
  const token = hmacToken(head, { ...good, jti: 'link1' });
  expect(decidePlay(rule, { ...wish, token }, facts)).toMatchObject({ grant: { link: 'rule.link1' } });
});
