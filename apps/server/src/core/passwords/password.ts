import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** 32 MiB and about 100 ms per guess: expensive for an attacker with the file, unnoticeable at sign-in. */
const usualCost = { N: 2 ** 15, r: 8, p: 1 } as const;
const hashBytes = 32;

export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** `scrypt:N:r:p:salt:hash`, so that a later release can raise the cost and still read what is stored. */
export async function hashPassword(password: string, cost: HashCost = usualCost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split(':');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function derive(password: string, salt: Buffer, { N, r, p }: HashCost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
