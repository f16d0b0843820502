import * as z from 'zod';
import { post } from '../endpoint.ts';

export const certs = {
  /** A key or a chain of certificates is far smaller. */
  pemCharacters: 64 * 1024,
  /** A certificate is renewed this long before its end, or when a third of a short life is left. */
  renewBeforeMs: 30 * 24 * 3600_000,
  /** Somebody is told this long before its end, or when a quarter of a short life is left: by then it should have been renewed. */
  alertBeforeMs: 14 * 24 * 3600_000,
  /** Ports of the page from which a certificate can be ordered; empty = the scheme's own. */
  pagePorts: ['', '80', '3000'],
  /** How long the call that orders a certificate waits for it. The order itself goes on. */
  answerWithinMs: 60_000,
  /** How often a page that shows a running order asks again. */
  orderPollMs: 1000,
} as const;

/** At most 253 characters: labels of letters, digits and inner hyphens, 63 each; the last one of 2 to 6 letters. */
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

/** `ssl`: uploaded or self-signed; `lets`: from Let's Encrypt; empty: there is none. */
export const CertProvider = z.enum(['', 'ssl', 'lets']);
export type CertProvider = z.infer<typeof CertProvider>;

/** Why a key and certificate are not taken; some name a figure: a date, a place in the chain, or the most certificates of one. */
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

/** Why an order failed, as far as it can be mended: each has words of its own. */
export const orderFaults = [
  /** The name leads nowhere. */
  'dns',
  /** Port 80 of the name does not answer. */
  'connection',
  /** Port 80 of the name is answered by something else. */
  'elsewhere',
  'rate-limited',
  /** A CAA record allows other authorities only. */
  'caa',
  /** The authority does not issue for such a name. */
  'rejected',
  /** This server does not reach the authority. */
  'unreachable',
  /** The authority has trouble of its own, or took too long. */
  'authority',
  'other',
] as const;
export type OrderFault = (typeof orderFaults)[number];

/** The last certificate that was asked for, by a person or because the old one ends. `reason` says why it failed, in the authority's own words. */
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
  /** The last domain a certificate was issued for. */
  domain: z.string(),
  certificate: CertificateFacts.nullable(),
  order: CertOrder,
  /** When it is renewed, or tried again after a failure; null = never by itself. */
  renewAt: z.string().nullable(),
  /** HTTPS is spoken by something in front of this server: nothing can be set here. */
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
