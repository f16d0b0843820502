import { createHmac, createPublicKey, type JsonWebKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { PlaybackKey, TokenKey } from '@weir/streams';

/** Facts in a playback token: a JWT (RFC 7519) in its compact form. */
export interface PlaybackClaims {
  /** Playback id of the stream (`sub`); empty where the token names its stream otherwise. */
  readonly playback: string;
  /** `app/name`, in tokens of an owner's backend that knows no playback ids (`stream`). */
  readonly stream: string;
  /** Id of the link, of the password, or of the token (`jti`); may be empty in tokens of a backend. */
  readonly id: string;
  /** In seconds; `startsAt` 0 for at once. */
  readonly startsAt: number;
  readonly expiresAt: number;
  /** Viewers at once; 0 for no limit. */
  readonly devices: number;
  /** Address that the token is bound to; empty for any. */
  readonly address: string;
}

/** Keys of this server are named apart from those of backends, so that neither can stand for the other. */
const ownKid = (key: PlaybackKey): string => `weir.${key.id}`;

const mostCharacters = 2048;
const mostBackendKeys = 16;

export function writePlaybackToken(key: PlaybackKey, claims: PlaybackClaims): string {
  const head = encoded({ alg: 'HS256', kid: ownKid(key) });
  const { playback, id, startsAt, expiresAt, devices, address } = claims;
  const body = encoded({
    sub: playback,
    jti: id,
    exp: expiresAt,
    ...(startsAt > 0 && { nbf: startsAt }),
    ...(devices > 0 && { dev: devices }),
    ...(address !== '' && { ip: address }),
  });
  return `${head}.${body}.${hmac(key.secret, `${head}.${body}`).toString('base64url')}`;
}

interface Parts {
  readonly kid: string;
  readonly algorithm: string;
  readonly signed: string;
  readonly signature: Buffer;
  readonly claims: PlaybackClaims | undefined;
}

/** Claims of a token that this server signed; undefined for any other text. Times are not judged here. */
export function readOwnToken(token: string, keys: readonly PlaybackKey[]): PlaybackClaims | undefined {
  const parts = partsOf(token);
  const key = keys.find((each) => ownKid(each) === parts?.kid);
  if (!parts || !key || parts.algorithm !== 'HS256') return undefined;
  return isSignedWith(key.secret, parts) ? parts.claims : undefined;
}

/** Claims of a token that one of these keys of a backend signed. The key decides the algorithm, never the token. */
export function readBackendToken(token: string, keys: readonly TokenKey[]): PlaybackClaims | undefined {
  const parts = partsOf(token);
  if (!parts || parts.kid.startsWith('weir.')) return undefined;
  const isMeant = ({ id, algorithm }: TokenKey) =>
    algorithm === parts.algorithm && (id === '' || parts.kid === '' || id === parts.kid);
  const isSigned = keys
    .filter(isMeant)
    .slice(0, mostBackendKeys)
    .some((key) => isSignedBy(key, parts));
  return isSigned ? parts.claims : undefined;
}

function isSignedBy({ algorithm, secret, publicKey }: TokenKey, parts: Parts): boolean {
  if (algorithm === 'HS256') return secret !== '' && isSignedWith(secret, parts);
  const key = publicKeyOf(publicKey);
  if (!key || key.asymmetricKeyType !== (algorithm === 'RS256' ? 'rsa' : 'ec')) return false;
  const options = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : { key };
  return verify('sha256', Buffer.from(parts.signed), options, parts.signature);
}

/** Reading a key takes longer than checking a signature with it. */
const publicKeys = new Map<string, KeyObject | undefined>();
const mostPublicKeys = 200;

/** Undefined for a text that is no public key. */
export function publicKeyOf(jwk: string): KeyObject | undefined {
  if (publicKeys.has(jwk)) return publicKeys.get(jwk);
  if (publicKeys.size >= mostPublicKeys) publicKeys.clear();
  const key = readPublicKey(jwk);
  publicKeys.set(jwk, key);
  return key;
}

function readPublicKey(jwk: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: JSON.parse(jwk) as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function isSignedWith(secret: string, { signed, signature }: Parts): boolean {
  const right = hmac(secret, signed);
  return signature.length === right.length && timingSafeEqual(signature, right);
}

function hmac(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

function partsOf(token: string): Parts | undefined {
  if (token.length > mostCharacters) return undefined;
  const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  const { alg, kid = '', crit } = decoded(head);
  // Extensions that a reader must understand (RFC 7515, 4.1.11): we know none.
  if (typeof alg !== 'string' || typeof kid !== 'string' || crit !== undefined) return undefined;
  return {
    kid,
    algorithm: alg,
    signed: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
    claims: claimsOf(decoded(body)),
  };
}

function claimsOf({ sub, stream, jti, nbf, exp, dev, ip }: Record<string, unknown>): PlaybackClaims | undefined {
  const isTime = (value: unknown) => typeof value === 'number' && value >= 0 && Number.isFinite(value);
  if (!isTime(exp) || (nbf !== undefined && !isTime(nbf)) || (dev !== undefined && !isTime(dev))) return undefined;
  if ([sub, stream, jti, ip].some((value) => value !== undefined && typeof value !== 'string')) return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    playback: text(sub),
    stream: text(stream),
    id: text(jti).slice(0, 128),
    startsAt: number(nbf),
    expiresAt: number(exp),
    devices: Math.floor(number(dev)),
    address: text(ip),
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
