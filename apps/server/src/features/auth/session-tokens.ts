import { hkdfSync, randomBytes } from 'node:crypto';
import { type Session, sessions } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';

/** Parts of the key that signs sessions: replacing either ends every session. */
export interface KeyParts {
  readonly apiSecret: string;
  readonly salt: string;
}

const algorithm = 'HS256';

export function newSessionId(): string {
  return randomBytes(16).toString('hex');
}

/** A JWT of the session; a session may have several, and ends with all of them. */
export async function issueToken(parts: KeyParts, sessionId: string, nowMs: number): Promise<Session> {
  // Loaded by the first who signs in: an idle server does without.
  const { SignJWT } = await import('jose/jwt/sign');
  const createdAt = Math.floor(nowMs / 1000) * 1000;
  const token = await new SignJWT({ v: '1.0', sid: sessionId })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setJti(randomBytes(16).toString('hex'))
    .setIssuedAt(createdAt / 1000)
    .setExpirationTime((createdAt + sessions.lifeMs) / 1000)
    .sign(signingKey(parts));
  return {
    token,
    createAt: new Date(createdAt).toISOString(),
    expireAt: new Date(createdAt + sessions.lifeMs).toISOString(),
    bearer: token,
  };
}

/** Content of a valid token. */
export interface ReadToken {
  readonly sessionId: string;
  readonly expiresAtMs: number;
}

export async function readToken(parts: KeyParts, token: string, nowMs: number): Promise<ReadToken> {
  const { jwtVerify } = await import('jose/jwt/verify');
  try {
    const { payload } = await jwtVerify(token, signingKey(parts), {
      algorithms: [algorithm],
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'iat', 'jti', 'sid'],
    });
    const { sid, exp = 0 } = payload;
    if (typeof sid === 'string') return { sessionId: sid, expiresAtMs: exp * 1000 };
  } catch (cause) {
    throw new WeirError('token', 'the session has expired or is not valid, sign in again', { cause });
  }
  throw new WeirError('token', 'the session is not valid, sign in again');
}

/** Derived key, so that tokens reveal nothing about the API secret. */
function signingKey(parts: KeyParts): Uint8Array {
  return keyFor(parts, 'session');
}

export function keyFor({ apiSecret, salt }: KeyParts, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', apiSecret, salt, `weir ${purpose}`, 32));
}
