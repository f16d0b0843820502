import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { CertificateFacts, KeyPairFault } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';
import { tls } from '../../core/secure-modules.ts';

/** A private key and its certificate with the chain that follows it, as PEM text. */
export interface PemPair {
  readonly key: string;
  readonly crt: string;
}

const mostCertificates = 10;

/** Throws `certificate` with the reason unless HTTPS would work with this pair now. */
export function assertUsable(pair: PemPair, now: number): void {
  const [leaf, ...issuers] = readCertificates(pair.crt);
  const key = readKey(pair.key);
  if (!leaf.checkPrivateKey(key)) throw mismatch(issuers, key);
  const [from, until] = [day(leaf.validFrom), day(leaf.validTo)];
  if (Date.parse(leaf.validTo) <= now)
    throw unusable('expired', `the certificate expired on ${until}`, { fact: until });
  if (Date.parse(leaf.validFrom) > now)
    throw unusable('early', `the certificate is not valid before ${from}`, { fact: from });
  assertChain([leaf, ...issuers]);
  try {
    // The last word: keys that are too short, and curves that TLS does not know, fail only here.
    tls().createSecureContext({ key: pair.key, cert: pair.crt });
  } catch (cause) {
    throw unusable('unusable', 'this type of key or certificate cannot be used for HTTPS', { cause });
  }
}

/** Facts of the first certificate of a chain. */
export function describeCertificate(crt: string): CertificateFacts {
  const [leaf] = readCertificates(crt);
  return {
    subject: nameOf(leaf.subject),
    issuer: nameOf(leaf.issuer),
    names: namesOf(leaf),
    validFrom: new Date(leaf.validFrom).toISOString(),
    expireAt: new Date(leaf.validTo).toISOString(),
    selfSigned: leaf.checkIssued(leaf) && leaf.verify(leaf.publicKey),
  };
}

export function isFor(crt: string, domain: string): boolean {
  return readCertificates(crt)[0].checkHost(domain) !== undefined;
}

function readCertificates(crt: string): [X509Certificate, ...X509Certificate[]] {
  const blocks = crt.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > mostCertificates) {
    const fact = String(mostCertificates);
    throw unusable('chain-length', `the chain can have at most ${fact} certificates`, { fact });
  }
  try {
    const [leaf, ...issuers] = blocks.map((block) => new X509Certificate(block));
    if (leaf) return [leaf, ...issuers];
  } catch (cause) {
    throw unusable('damaged', 'the certificate is damaged or incomplete', { cause });
  }
  throw unusable('no-certificate', 'no certificate found, the text must contain -----BEGIN CERTIFICATE-----');
}

function readKey(key: string): KeyObject {
  if (/ENCRYPTED/.test(key)) throw unusable('passphrase', 'the private key has a passphrase, upload a key without one');
  try {
    return createPrivateKey(key);
  } catch (cause) {
    throw unusable('bad-key', 'the private key cannot be read, it must be in PEM format', { cause });
  }
}

function mismatch(issuers: readonly X509Certificate[], key: KeyObject): WeirError {
  return issuers.some((certificate) => certificate.checkPrivateKey(key))
    ? unusable('chain-order', 'the certificates are in the wrong order, put the server certificate first')
    : unusable('mismatch', 'the private key does not match the certificate');
}

/** Browsers give up on a chain in which one certificate did not sign the one before it. */
function assertChain(chain: readonly X509Certificate[]): void {
  for (const [index, issuer] of chain.slice(1).entries()) {
    const signed = chain[index];
    if (!signed?.checkIssued(issuer) || !signed.verify(issuer.publicKey)) {
      const sentence = `certificate ${index + 2} of the chain did not sign certificate ${index + 1}`;
      throw unusable('chain-broken', sentence, { fact: String(index + 2) });
    }
  }
}

/** `CN (O)` of a distinguished name, or all of it on one line. */
function nameOf(distinguished: string): string {
  const part = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(distinguished)?.[1];
  const [common, organisation] = [part('CN'), part('O')];
  if (common === undefined) return organisation ?? distinguished.replaceAll('\n', ', ');
  return organisation === undefined ? common : `${common} (${organisation})`;
}

function namesOf(leaf: X509Certificate): string[] {
  const names = (leaf.subjectAltName ?? '')
    .split(', ')
    .flatMap((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1] ?? []);
  const common = /^CN=(.*)$/m.exec(leaf.subject)?.[1];
  return names.length > 0 ? names : common === undefined ? [] : [common];
}

function day(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}

function unusable(kind: KeyPairFault, sentence: string, { fact = '', cause }: { fact?: string; cause?: unknown } = {}) {
  return new WeirError('certificate', sentence, { cause, why: { kind, fact } });
}

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
