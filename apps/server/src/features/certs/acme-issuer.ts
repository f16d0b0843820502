import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import type { Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import type { axios, Client } from 'acme-client';
import * as z from 'zod';
import { readAnswer, receiveResponse } from '../../core/outgoing/request/receive-response.ts';
import { https, tls } from '../../core/secure-modules.ts';
import { type CertsRepository, newKey } from './certs-repository.ts';
import type { Challenges } from './challenges.ts';
import { OrderError, type Problem, parseProblem } from './order-error.ts';
import type { PemPair } from './pem-pair.ts';

const defaultRequestMs = 30_000;
/** Size limit of an authority's answer; a certificate chain has a few kilobytes. */
const answerBytes = 1024 * 1024;

/** Source of certificates. */
export interface Issuer {
  /** Gets a certificate for a domain, with a key of its own. What it throws says why in a sentence. */
  issue(domain: string): Promise<PemPair>;
}

interface Context {
  readonly directory: string;
  /** File of the authority that vouches for the directory; empty = one that everybody knows. */
  readonly authority: string;
  readonly repository: CertsRepository;
  readonly challenges: Challenges;
  readonly log: Log;
  /** Time limit of a request, to the last byte of its answer. */
  readonly requestMs?: number;
}

/** Orders by ACME (RFC 8555) and proves the domain over HTTP, on port 80 as the protocol wants it. */
export class AcmeIssuer implements Issuer {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async issue(domain: string): Promise<PemPair> {
    const { directory, repository, challenges, log, requestMs = defaultRequestMs } = this.#context;
    const agent = new (https().Agent)({ ca: await this.#authorities() });
    const problems = new ProblemLog();
    let release: (() => void) | undefined;
    try {
      await assertReachable(directory, agent, requestMs);
      // Megabytes that a server without orders never context.
      const acme = await import('acme-client');
      const limits = { timeout: requestMs, maxContentLength: answerBytes, maxRedirects: 0 };
      Object.assign(acme.axios.defaults, { httpsAgent: agent, ...limits });
      // A refusal is told at once: by itself the client would wait as long as a rate limit lasts, which may be days.
      const { acmeSettings } = acme.axios.defaults as { acmeSettings?: object };
      Object.assign(acme.axios.defaults, { acmeSettings: { ...acmeSettings, retryMaxAttempts: 0 } });
      // The client's own limit is for silence; a server that sends a byte now and then would hold it for ever.
      const { interceptors } = acme.axios;
      const deadline = interceptors.request.use((config) =>
        Object.assign(config, { signal: AbortSignal.timeout(requestMs) }),
      );
      release = () => interceptors.request.eject(deadline);
      const client = new acme.Client({
        directoryUrl: directory,
        accountKey: await repository.accountKey(directory),
        backoffAttempts: 15,
        backoffMin: 250,
        backoffMax: 10_000,
      });
      problems.listenTo(acme.axios);
      await signIn(client);
      // The problem that the account did not exist is resolved.
      problems.last = undefined;
      const key = newKey();
      const [, csr] = await acme.crypto.createCsr({ altNames: [domain] }, key);
      log.info({ domain, directory }, 'certificate requested');
      const crt = await client.auto({
        csr,
        challengePriority: ['http-01'],
        // This server may not reach itself under its public name; the authority's own look is what counts.
        skipChallengeVerification: true,
        challengeCreateFn: async (_authorization, { type, token }, answer) => {
          if (type !== 'http-01') throw new Error('the certificate authority does not offer HTTP validation');
          challenges.put(token, answer);
        },
        challengeRemoveFn: async (_authorization, { token }) => challenges.drop(token),
      });
      return { key, crt };
    } catch (error) {
      throw readable(error, problems.last);
    } finally {
      release?.();
      problems.close();
      agent.destroy();
    }
  }

  async #authorities(): Promise<string[]> {
    const { authority } = this.#context;
    if (authority === '') return [...tls().rootCertificates];
    return [...tls().rootCertificates, await readFile(authority, 'utf8')];
  }
}

/**
 * Finds the account of our key, else makes it. In one step the client would send a known account's own data as a
 * change of it, which authorities may refuse (RFC 8555, 7.3.2 and 7.3.3).
 */
async function signIn(client: Client): Promise<void> {
  try {
    await client.createAccount({ onlyReturnExisting: true });
  } catch {
    await client.createAccount({ termsOfServiceAgreed: true });
  }
}

/** Asked by ourselves, because the client hides why a connection failed. */
function assertReachable(directory: string, agent: Agent, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new OrderError('unreachable', `could not reach the certificate authority (${why})`));
    const asked = https().get(directory, { agent, signal: AbortSignal.timeout(withinMs) });
    const take = (answer: IncomingMessage) => {
      if (answer.statusCode !== 200) {
        asked.destroy();
        return fail(`status ${answer.statusCode}`);
      }
      readAnswer(answer, answerBytes)
        .then((body) => Directory.parse(JSON.parse(body.toString('utf8'))))
        .then(
          () => resolve(),
          () => fail('unexpected response'),
        )
        .finally(() => asked.destroy());
    };
    receiveResponse(asked, { take, fail: ({ message, fact }) => fail(fact === '' ? message : fact) });
  });
}

/** Endpoints for an order (RFC 8555, 7.1.1). */
const Directory = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });

/**
 * Last problem document of the authority. The client passes on only its text, without the type that decides what to do.
 */
class ProblemLog {
  last: Problem | undefined;
  #stop: (() => void) | undefined;

  listenTo({ interceptors }: typeof axios): void {
    const id = interceptors.response.use((response) => {
      this.last = parseProblem(response.data) ?? this.last;
      return response;
    });
    this.#stop = () => interceptors.response.eject(id);
  }

  close(): void {
    this.#stop?.();
  }
}

function readable(error: unknown, problem: Problem | undefined): Error {
  if (error instanceof OrderError) return error;
  // The client reports a broken connection as TypeError.
  if (error instanceof TypeError) {
    const text = 'the certificate authority stopped responding during the request';
    return new OrderError('authority', text, { cause: error });
  }
  const text = errorMessage(error);
  return new OrderError(problem?.fault ?? 'other', text || (problem?.detail ?? ''), { cause: error });
}
