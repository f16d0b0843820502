import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes } from 'node:crypto';
import { notificationLimits } from '@weir/contract';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import { parseTarget } from '../../core/outgoing/outgoing-target.ts';
import type { OutgoingClient, OutgoingRequest } from '../../core/outgoing/request/outgoing-client.ts';
import type { Answer } from './notice-sender.ts';
import type { Message } from './notice-text.ts';

/** Key pair by which push services know this server (VAPID, RFC 8292), as unpadded base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

type Fields = Readonly<Record<string, string>>;

/** Push services keep a message for a device that is off. */
const keptSeconds = 12 * 3600;
const tokenSeconds = 12 * 3600;
const curve = 'prime256v1';
/** One record holds the whole message. */
const recordBytes = 4096;
/** What every push service takes, less header, tag and padding. */
const mostPlainBytes = 3000;

export function makePushKeys(): PushKeys {
  const pair = createECDH(curve);
  pair.generateKeys();
  return { publicKey: pair.getPublicKey('base64url'), privateKey: pair.getPrivateKey('base64url') };
}

/** Sends to one device, through the push service of its browser. */
export async function sendPush(
  outgoing: OutgoingClient,
  { fields, keys, contact }: { readonly fields: Fields; readonly keys: PushKeys; readonly contact: string },
  message: Message,
): Promise<Answer> {
  const { status, body } = await outgoing.send(await pushRequest(fields, { keys, contact }, message), {
    ownNetwork: 'typed',
    verifiesTls: true,
    redirects: 0,
    withinMs: notificationLimits.answerWithinMs,
    answerBytes: notificationLimits.answerBytes,
  });
  return { isAccepted: status >= 200 && status < 300, status, answer: body.toString('utf8') };
}

async function pushRequest(
  { endpoint = '', p256dh = '', auth = '' }: Fields,
  { keys, contact }: { readonly keys: PushKeys; readonly contact: string },
  { title, lines, link, tone }: Message,
): Promise<OutgoingRequest> {
  const { origin } = parseTarget(endpoint);
  const text = JSON.stringify({ title, body: lines.join('\n').slice(0, 900), link, tone });
  const plain = Buffer.from(Buffer.byteLength(text) > mostPlainBytes ? JSON.stringify({ title, link, tone }) : text);
  return {
    url: endpoint,
    method: 'POST',
    headers: {
      authorization: `vapid t=${await tokenFor(origin, keys, contact)}, k=${keys.publicKey}`,
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(keptSeconds),
      urgency: tone === 'bad' ? 'high' : 'normal',
    },
    body: encryptPush(plain, { p256dh, auth }),
  };
}

/** Says who sends, so that the push service can reach the owner. */
async function tokenFor(audience: string, { publicKey, privateKey }: PushKeys, contact: string): Promise<string> {
  const { SignJWT } = await import('jose');
  const point = Buffer.from(publicKey, 'base64url');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d: privateKey };
  return new SignJWT({ sub: contact })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(audience)
    .setExpirationTime(`${tokenSeconds}s`)
    .sign(createPrivateKey({ key: jwk, format: 'jwk' }));
}

interface Device {
  /** Public key of the device, as an uncompressed point. */
  readonly p256dh: string;
  readonly auth: string;
}

/** Encrypts for one device (RFC 8291, aes128gcm of RFC 8188). `made` is given in tests of the standard's example. */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: Device,
  made: { readonly privateKey?: Buffer; readonly salt?: Buffer } = {},
): Buffer {
  const pair = createECDH(curve);
  if (made.privateKey) pair.setPrivateKey(made.privateKey);
  else pair.generateKeys();
  const own = pair.getPublicKey();
  const device = Buffer.from(p256dh, 'base64url');
  const salt = made.salt ?? randomBytes(16);
  const info = (label: string, ...more: Buffer[]) => Buffer.concat([Buffer.from(`${label}\0`), ...more]);
  const secret = Buffer.from(
    hkdfSync(
      'sha256',
      sharedSecret(pair, device),
      Buffer.from(auth, 'base64url'),
      info('WebPush: info', device, own),
      32,
    ),
  );
  const key = Buffer.from(hkdfSync('sha256', secret, salt, info('Content-Encoding: aes128gcm'), 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, info('Content-Encoding: nonce'), 12));
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 marks the last record.
  const sealed = Buffer.concat([
    cipher.update(plain),
    cipher.update(Buffer.from([2])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(recordBytes, 0);
  header.writeUInt8(own.length, 4);
  return Buffer.concat([salt, header, own, sealed]);
}

function sharedSecret(pair: ReturnType<typeof createECDH>, device: Buffer): Buffer {
  try {
    return pair.computeSecret(device);
  } catch (cause) {
    throw new OutgoingError('bad-url', 'the keys of the device are not valid', { cause });
  }
}
