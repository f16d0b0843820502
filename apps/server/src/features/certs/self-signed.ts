import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PemPair } from './pem-pair.ts';

const commonName = 'weir.local';
const names = [commonName, 'localhost'];
const years = 10;

const tag = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c } as const;
const sequence = 0x30;
const oid = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
  extendedKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
} as const;

/** Self-signed certificate: encrypts, and lets browsers use the camera after a warning. */
export function makeSelfSigned(now: Date): PemPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(sequence, object(oid.ecdsaWithSha256));
  const name = der(sequence, der(0x31, der(sequence, object(oid.commonName), der(tag.utf8, Buffer.from(commonName)))));
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  // RFC 5280, 4.1: version 3, serial, algorithm, issuer, validity, subject, key, extensions.
  const body = der(
    sequence,
    der(0xa0, der(tag.integer, Buffer.of(2))),
    der(tag.integer, serial()),
    algorithm,
    name,
    der(sequence, time(now), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(sequence, ...extensions())),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(sequence, body, algorithm, der(tag.bits, Buffer.of(0), signature));
  return { key: String(privateKey.export({ type: 'sec1', format: 'pem' })), crt: toPem(certificate) };
}

/** Random, because browsers refuse two certificates of one name that share a number. */
function serial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function extensions(): Buffer[] {
  const dnsNames = names.map((dnsName) => der(0x82, Buffer.from(dnsName)));
  return [
    der(sequence, object(oid.subjectAltName), der(tag.octets, der(sequence, ...dnsNames))),
    der(sequence, object(oid.extendedKeyUsage), der(tag.octets, der(sequence, object(oid.serverAuth)))),
  ];
}

/** RFC 5280, 4.1.2.5: two digits for the year until 2049, four from then on. */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`;
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function object(hex: string): Buffer {
  return der(tag.oid, Buffer.from(hex, 'hex'));
}

/** Tag, length, value (X.690, 8.1). */
function der(type: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  if (length < 0x80) return Buffer.concat([Buffer.of(type, length), value]);
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(type, ...size), value]);
}

function toPem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
