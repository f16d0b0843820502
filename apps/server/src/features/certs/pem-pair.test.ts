import { describe, expect, it } from 'vitest';
import { makePair } from './pem-pair.fixture.ts';
import { assertUsable, describeCertificate, makeSelfSigned } from './pem-pair.ts';

const authority = makePair({ name: 'Test Authority' });
const pair = makePair({ issuer: authority });
const other = makePair({ newKey: ['rsa:2048'] });
const now = Date.now();
const dayMs = 24 * 3600_000;

describe('a certificate with its key', () => {
  it('is accepted with and without its chain', () => {
    expect(() => assertUsable(pair, now)).not.toThrow();
    expect(() => assertUsable({ ...pair, crt: pair.crt + authority.crt }, now)).not.toThrow();
    expect(() => assertUsable(other, now)).not.toThrow();
  });

  it.each([
    ['no certificate', { ...pair, crt: 'hello' }, 'no-certificate', 'no certificate found'],
    [
      'a damaged certificate',
      { ...pair, crt: pair.crt.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAA') },
      'damaged',
      'damaged or incomplete',
    ],
    ['no key', { ...pair, key: 'hello' }, 'bad-key', 'private key cannot be read'],
    ['a certificate as key', { ...pair, key: pair.crt }, 'bad-key', 'private key cannot be read'],
    [
      'a key with a passphrase',
      { ...pair, key: '-----BEGIN ENCRYPTED PRIVATE KEY-----' },
      'passphrase',
      'has a passphrase',
    ],
    ['the key of another', { ...pair, key: other.key }, 'mismatch', 'does not match'],
    ['a chain upside down', { ...pair, crt: authority.crt + pair.crt }, 'chain-order', 'wrong order'],
    [
      'a chain of strangers',
      { ...pair, crt: pair.crt + other.crt },
      'chain-broken',
      'certificate 2 of the chain did not sign',
    ],
    ['too many certificates', { ...pair, crt: pair.crt + authority.crt.repeat(10) }, 'chain-length', 'at most 10'],
  ])('is refused with %s', (_what, bad, kind, reason) => {
    const [message, why] = [expect.stringContaining(reason), expect.objectContaining({ kind })];
    expect(() => assertUsable(bad, now)).toThrow(expect.objectContaining({ code: 1002, status: 422, message, why }));
  });

  it('is refused before and after its validity', () => {
    expect(() => assertUsable(pair, now + 91 * dayMs)).toThrow(/expired on \d{4}-/);
    expect(() => assertUsable(pair, now - dayMs)).toThrow(/not valid before \d{4}-/);
  });

  it('is refused when TLS does not accept it', () => {
    expect(() => assertUsable(makePair({ newKey: ['rsa:512'] }), Date.now())).toThrow('cannot be used for HTTPS');
  });
});

it('reports names, issuer and validity', () => {
  const facts = describeCertificate(pair.crt + authority.crt);
  expect(facts).toMatchObject({
    subject: 'live.example.com',
    issuer: 'Test Authority',
    names: ['live.example.com'],
    selfSigned: false,
  });
  expect(Date.parse(facts.expireAt) - Date.parse(facts.validFrom)).toBe(90 * dayMs);
  expect(describeCertificate(other.crt).selfSigned).toBe(true);
});

it.each(['2026-11-15T00:00:00Z', '2045-01-01T00:00:00Z'])('is created self-signed in %s, for ten years', (at) => {
  const own = makeSelfSigned(new Date(at));
  expect(() => assertUsable(own, Date.parse(at))).not.toThrow();
  expect(own.key).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
  const facts = describeCertificate(own.crt);
  expect(facts).toMatchObject({ selfSigned: true, names: ['weir.local', 'localhost'] });
  expect(new Date(facts.expireAt).getUTCFullYear() - new Date(at).getUTCFullYear()).toBe(10);
});
