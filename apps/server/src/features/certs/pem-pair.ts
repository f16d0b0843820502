import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
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
