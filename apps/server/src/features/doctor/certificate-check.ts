import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certs } from '@weir/contract';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Check, Question, Result } from './check.ts';

const dayMs = 24 * 3600_000;
const tab = 'https';

/** The certificate that browsers get, with its chain, name and expiry. */
export const certificateCheck: Check = {
  name: 'certificate',
  run: async (question) => {
    const { config, clock, name } = question;
    if (config.httpsElsewhere) return elsewhere(question);
    const leaf = await readLeaf(join(config.dataDir, 'config', 'nginx.crt'));
    if (!leaf) return { verdict: 'warn', reason: 'certificate.none', tab };
    const expiresMs = Date.parse(leaf.validTo);
    const days = Math.floor((expiresMs - clock.dateMs()) / dayMs);
    const facts = { name, date: new Date(expiresMs).toISOString().slice(0, 10), days };
    if (expiresMs <= clock.dateMs()) return { verdict: 'bad', reason: 'certificate.expired', facts, tab };
    if (leaf.checkIssued(leaf)) return { verdict: 'warn', reason: 'certificate.selfSigned', facts, tab };
    const fault = await handshakeFault(question, name || firstName(leaf));
    if (fault) return { ...fault, facts, tab };
    const isEnding = expiresMs - clock.dateMs() <= certs.alertBeforeMs;
    return {
      verdict: isEnding ? 'warn' : 'ok',
      reason: isEnding ? 'certificate.ending' : 'certificate.ok',
      facts,
      tab,
    };
  },
};

/** First DNS name of the certificate; empty if it has none. */
export function firstName(leaf: X509Certificate): string {
  return /DNS:([^,\s]+)/.exec(leaf.subjectAltName ?? '')?.[1]?.replace(/^\*\./, '') ?? '';
}

export async function readLeaf(file: string): Promise<X509Certificate | undefined> {
  try {
    return new X509Certificate(await readFile(file));
  } catch {
    // Missing or damaged: HTTPS does not work with it either.
    return undefined;
  }
}

const policy = { ownNetwork: 'allowed', verifiesTls: true, redirects: 0, withinMs: 5000, answerBytes: 4096 } as const;
const path = '/terraform/v1/mgmt/versions';

/** Connects to the own HTTPS port as a browser would that came by the name. */
async function handshakeFault(
  question: Question,
  name: string,
): Promise<Pick<Result, 'verdict' | 'reason'> | undefined> {
  const { config, signal } = question;
  const { listeners } = await question.mediaServer.health().catch(() => ({ listeners: [] }));
  const port = listeners.find(({ protocol }) => protocol === 'https')?.port || config.https.port;
  if (name === '' || port === 0) return undefined;
  const host = config.https.host;
  const address = host === undefined || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const client = new OutgoingClient(async () => [{ address, family: address.includes(':') ? 6 : 4 }]);
  try {
    await client.send({ url: `https://${name}:${port}${path}`, method: 'GET' }, policy, signal);
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

function faultOf(error: unknown): Pick<Result, 'verdict' | 'reason'> | undefined {
  if (!(error instanceof OutgoingError) || error.failure !== 'bad-certificate') return undefined;
  if (/ALTNAME/.test(error.fact)) return { verdict: 'bad', reason: 'certificate.name' };
  // A leaf whose issuer is not known here: usually its intermediate certificate is missing in the file.
  if (/UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER/.test(error.fact))
    return { verdict: 'bad', reason: 'certificate.chain' };
  return { verdict: 'warn', reason: 'certificate.untrusted' };
}

/** Behind a proxy, its certificate counts. */
async function elsewhere({ name, signal }: Question): Promise<Result> {
  if (name === '') return { verdict: 'skipped', reason: 'certificate.elsewhere' };
  try {
    await new OutgoingClient().send({ url: `https://${name}${path}`, method: 'GET' }, policy, signal);
    return { verdict: 'ok', reason: 'certificate.elsewhere' };
  } catch (error) {
    return { ...(faultOf(error) ?? { verdict: 'skipped', reason: 'certificate.elsewhere' }), facts: { name } };
  }
}
