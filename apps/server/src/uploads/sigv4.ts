import { createHash, createHmac } from 'node:crypto';

/** A key pair, and for a temporary one the token that belongs to it. */
export interface Credential {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface RequestToSign {
  readonly method: string;
  readonly url: URL;
  /** Headers to sign besides the added ones; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hexadecimal. */
  readonly payloadHash: string;
}

export const emptyHash = sha256('');

/**
 * AWS Signature Version 4 for S3, in headers. The path must come encoded by `encodeKey`: S3, unlike other services of AWS,
 * does not encode it again.
 */
export function signRequest(
  { method, url, headers, payloadHash }: RequestToSign,
  { accessKeyId, secretAccessKey, sessionToken }: Credential,
  { region, at }: { readonly region: string; readonly at: Date },
): Record<string, string> {
  const stamp = stampOf(at);
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': stamp,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(signed).sort();
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${(signed[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const scope = `${stamp.slice(0, 8)}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...signed, authorization };
}

/** The path of a key: everything but letters, figures, `-._~` and the slashes between its parts is encoded. */
export function encodeKey(key: string): string {
  return key.split('/').map(encode).join('/');
}

export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** Stricter than `encodeURIComponent`, which leaves !'()* as they are. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `20130524T000000Z` */
function stampOf(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d{3}/g, '');
}
