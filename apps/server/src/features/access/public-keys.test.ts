import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { parsePublicKeys } from './public-keys.ts';

const jwk = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
const ids = (keys: object[], algorithm: 'RS256' | 'ES256') =>
  parsePublicKeys(JSON.stringify({ keys }), algorithm).map(({ id }) => id);

it('accepts keys for the algorithm, and leaves out others', () => {
  const keys = [
    { ...jwk(2048), kid: 'good', alg: 'RS256', use: 'sig' },
    { ...jwk(1024), kid: 'short' },
    { ...jwk(2048), kid: 'encrypts', use: 'enc' },
    { ...jwk(2048), kid: 'other', alg: 'PS512' },
    { ...ec('P-256'), kid: 'curve' },
    { ...ec('P-384'), kid: 'other curve' },
    { kty: 'RSA', kid: 'no key', n: 'x', e: 'AQAB' },
    { kty: 'oct', kid: 'secret', k: 'c2VjcmV0' },
  ];
  expect(ids(keys, 'RS256')).toEqual(['good']);
  expect(ids(keys, 'ES256')).toEqual(['curve']);
});

it('keeps no private part of a key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [key] = parsePublicKeys(JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }), 'ES256');
  expect(Object.keys(JSON.parse(key?.publicKey ?? '{}'))).toEqual(['kty', 'crv', 'x', 'y']);
});

it.each(['', 'not JSON', '{}', '{"keys":7}', '{"keys":[null,1]}', '[]'])('finds no key in %j', (text) => {
  expect(parsePublicKeys(text, 'RS256')).toEqual([]);
});
