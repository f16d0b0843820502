import * as z from 'zod';
import { post } from '../endpoint.ts';

export const certs = {
  /** Far above the size of any key or chain. */
  pemCharacters: 64 * 1024,
  /** Renewal time before expiry, or a third of a shorter lifetime. */
  renewBeforeMs: 30 * 24 * 3600_000,
  /** Alert time before expiry, or a quarter of a shorter lifetime; renewal should have happened by then. */
  alertBeforeMs: 14 * 24 * 3600_000,
  /** Page ports from which a certificate can be ordered; empty for the default port. */
  pagePorts: ['', '80', '3000'],
  /** Time the order call waits; the order itself continues. */
  answerWithinMs: 60_000,
  /** Poll interval of a running order. */
  orderPollMs: 1000,
} as const;

/** At most 253 characters: labels of letters, digits and inner hyphens, 63 each; the last of 2 to 6 letters. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,6}$/i.test(text);
}

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .refine((text) => text === '' || isDomain(text), 'must be a domain name such as live.example.com');

const Pem = z.string().trim().min(1).max(certs.pemCharacters);

/** `ssl`: uploaded or self-signed; `lets`: Let's Encrypt; empty: none. */
export const CertProvider = z.enum(['', 'ssl', 'lets']);
export type CertProvider = z.infer<typeof CertProvider>;

/**
 * Reasons to reject a key and certificate; some include a figure: a date, a position in the chain, or the maximum number of certificates.
 */
export const keyPairFaults = [
  'no-certificate',
  'damaged',
  'chain-length',
  'chain-order',
  'chain-broken',
  'passphrase',
  'bad-key',
  'mismatch',
  'expired',
  'early',
  'unusable',
] as const;
export type KeyPairFault = (typeof keyPairFaults)[number];

export const CertificateFacts = z.object({
  subject: z.string(),
  issuer: z.string(),
  names: z.array(z.string()),
  validFrom: z.string(),
  expireAt: z.string(),
  selfSigned: z.boolean(),
});
export type CertificateFacts = z.infer<typeof CertificateFacts>;

/** Reasons of a failed order that an owner can fix, each with its own text. */
export const orderFaults = [
  /** The name does not resolve. */
  'dns',
  /** Port 80 of the name does not answer. */
  'connection',
  /** Port 80 of the name is served by another server. */
  'elsewhere',
  'rate-limited',
  /** A CAA record forbids this authority. */
  'caa',
  /** The authority does not issue for this name. */
  'rejected',
  /** The authority is unreachable from here. */
  'unreachable',
  /** The authority failed or took too long. */
  'authority',
  'other',
] as const;
export type OrderFault = (typeof orderFaults)[number];

/** Last ordered certificate, manual or renewal. `reason` is the authority's message of a failure. */
export const CertOrder = z.object({
  state: z.enum(['none', 'running', 'issued', 'failed']),
  domain: z.string(),
  at: z.string().nullable(),
  reason: z.string(),
  fault: z.enum(orderFaults).optional(),
});
export type CertOrder = z.infer<typeof CertOrder>;

export const CertStatus = z.object({
  provider: CertProvider,
  /** Domain of the last issued certificate. */
  domain: z.string(),
  certificate: CertificateFacts.nullable(),
  order: CertOrder,
  /** Next renewal or retry; null if not automatic. */
  renewAt: z.string().nullable(),
  /** A proxy in front of this server terminates HTTPS, so nothing can be set here. */
  elsewhere: z.boolean(),
});
export type CertStatus = z.infer<typeof CertStatus>;

export const certsApi = {
  query: post('/terraform/v1/mgmt/cert/query', {
    summary: 'Get the current certificate as PEM, with a masked private key',
    data: z.object({ provider: CertProvider, domain: z.string(), key: z.string(), crt: z.string() }),
  }),
  status: post('/terraform/v1/mgmt/cert/status', {
    summary: 'Get issuer, names and expiry of the current certificate, and the state of the next one',
    data: CertStatus,
  }),
  upload: post('/terraform/v1/mgmt/ssl', {
    summary:
      'Install a private key and certificate (PEM, server certificate first) for HTTPS; the masked key keeps the current one',
    body: z.object({ key: Pem, crt: Pem }),
    data: z.null(),
  }),
  order: post('/terraform/v1/mgmt/letsencrypt', {
    summary: "Get a certificate for this domain from Let's Encrypt and renew it automatically",
    body: z.object({ domain: Domain }),
    data: CertOrder,
  }),
  selfSigned: post('/terraform/v1/mgmt/auto-self-signed-certificate', {
    summary: 'Create a self-signed certificate if there is no certificate yet',
    data: z.null(),
  }),
} as const;
