import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Certificate {
  readonly der: Buffer;
  readonly privateKeyDer: Buffer;
  /** Fingerprint in SDP form, with the algorithm in front. */
  readonly fingerprint: string;
}

const ecdsaWithSha256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const commonName = Buffer.from('0603550403', 'hex');
const dayMs = 86_400_000;
const validDays = 3650;

/** Makes a self-signed certificate; peers verify it by its fingerprint in the SDP (RFC 8122). */
export function makeCertificate(nowMs = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = tag(0x30, tag(0x31, tag(0x30, commonName, tag(0x0c, Buffer.from('weir')))));
  const serial = randomBytes(8);
  serial.writeUInt8((serial.readUInt8(0) & 0x7f) | 0x40, 0);
  const body = tag(
    0x30,
    tag(0xa0, tag(0x02, Buffer.from([2]))),
    tag(0x02, serial),
    ecdsaWithSha256,
    name,
    tag(0x30, utcTime(nowMs - dayMs), utcTime(nowMs + validDays * dayMs)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const der = tag(0x30, body, ecdsaWithSha256, tag(0x03, signature));
  return {
    der,
    privateKeyDer: privateKey.export({ format: 'der', type: 'sec1' }),
    fingerprint: `sha-256 ${colons(createHash('sha256').update(der).digest())}`,
  };
}

/** Formats a digest as `AB:CD:…`, the form of SDP fingerprints. */
export function colons(digest: Buffer): string {
  return digest
    .toString('hex')
    .toUpperCase()
    .replaceAll(/..(?!$)/g, '$&:');
}

/** Encodes a value as DER: tag, length, value (X.690). */
function tag(type: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), value]);
}

/** Encodes a UTCTime, `YYMMDDhhmmssZ`; valid until 2049. */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return tag(0x17, Buffer.from(`${digits}Z`));
}
