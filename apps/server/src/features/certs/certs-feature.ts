import { join } from 'node:path';
import {
  type CertificateFacts,
  type CertOrder,
  type CertStatus,
  certs,
  certsApi,
  keyMask,
  type OrderFault,
} from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { AcmeIssuer, type Issuer } from './acme-issuer.ts';
import { CertsRepository, type Choice } from './certs-repository.ts';
import { Challenges, challengeRoute } from './challenges.ts';
import { OrderError } from './order-error.ts';
import { PairFiles } from './pair-files.ts';
import { assertUsable, describeCertificate, isFor, makeSelfSigned, type PemPair } from './pem-pair.ts';
import { renewalAt } from './renewal.ts';

interface Context {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
}

/** The certificate of the HTTPS port. The pair on the disk is made whole before anything else. */
export async function certsFeature({ config, store, clock, log: parent }: Context): Promise<Feature> {
  const log = parent.child({ feature: 'certs' });
  const repository = new CertsRepository(store);
  const challenges = new Challenges();
  const files = new PairFiles(join(config.dataDir, 'config'));
  const issuer: Issuer = new AcmeIssuer({ ...config.acme, repository, challenges, log });
  const certs = new CertsService({ repository, files, issuer, log, clock });
  try {
    await files.recover();
    if (config.selfSigned && !config.httpsElsewhere) await certs.ensureSelfSigned();
  } catch (error) {
    // HTTP still works, and the page says what is wrong with HTTPS.
    log.warn({ err: error }, 'certificate files could not be prepared');
  }
  return {
    routes: certsRoutes(certs, { challenges, isElsewhere: config.httpsElsewhere }),
    tasks: { 'renew-certificate': (signal) => certs.keepRenewed(signal) },
  };
}

function certsRoutes(
  certs: CertsService,
  { challenges, isElsewhere }: { readonly challenges: Challenges; readonly isElsewhere: boolean },
): Feature['routes'] {
  const assertHere = () => {
    if (isElsewhere) throw new WeirError('https_elsewhere', 'HTTPS is managed outside this server (SRS_HTTPS is off)');
  };
  return (http) => {
    // A pending order must not keep the server from stopping.
    http.fastify.addHook('preClose', async () => certs.giveUp('the server was stopped'));
    challengeRoute(http, challenges);
    http.route(certsApi.query, () => certs.query());
    http.route(certsApi.status, async () => ({ ...(await certs.status()), elsewhere: isElsewhere }));
    http.route(certsApi.order, ({ domain }) => {
      assertHere();
      return certs.order(domain);
    });
    http.route(certsApi.upload, async ({ key, crt }) => {
      assertHere();
      await certs.upload({ key, crt });
    });
    http.route(certsApi.selfSigned, async () => {
      assertHere();
      await certs.ensureSelfSigned();
    });
  };
}

/** Longer than any authority needs; then the order counts as failed. */
const orderMs = 180_000;
const longestWaitMs = 3600_000;
const leastPauseMs = 60_000;
const reasonCharacters = 500;

interface CertsServiceContext {
  readonly repository: CertsRepository;
  readonly files: PairFiles;
  readonly issuer: Issuer;
  readonly log: Log;
  readonly clock: Clock;
}

interface Order {
  readonly domain: string;
  readonly startedAt: number;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** The certificate of the HTTPS port: uploaded, self-signed, or ordered and renewed. */
class CertsService {
  readonly #repository: CertsRepository;
  readonly #files: PairFiles;
  readonly #issuer: Issuer;
  readonly #log: Log;
  readonly #clock: Clock;
  #order: Order | undefined;
  #alarm = new AbortController();

  constructor({ repository, files, issuer, log, clock }: CertsServiceContext) {
    this.#repository = repository;
    this.#files = files;
    this.#issuer = issuer;
    this.#log = log;
    this.#clock = clock;
  }

  /** The private key is not returned: readers of settings do not need it. */
  async query(): Promise<Choice & PemPair> {
    const pair = await this.#files.read();
    return { ...(await this.#choice(pair)), key: pair ? keyMask : '', crt: pair?.crt ?? '' };
  }

  async status(): Promise<Omit<CertStatus, 'elsewhere'>> {
    const pair = await this.#files.read();
    const certificate = pair && factsOf(pair);
    const choice = await this.#choice(pair);
    const renewAt = choice.provider === 'lets' ? await this.#renewalAt(choice, certificate) : undefined;
    return {
      ...choice,
      certificate: certificate ?? null,
      order: await this.#lastOrder(),
      renewAt: renewAt === undefined ? null : new Date(renewAt).toISOString(),
    };
  }

  /** A pair that HTTPS could not use changes nothing. */
  async upload({ key, crt }: PemPair): Promise<void> {
    // Format of the reference server: trimmed, with one line feed at the end.
    const pair = { key: key === keyMask ? ((await this.#files.read())?.key ?? '') : `${key}\n`, crt: `${crt}\n` };
    assertUsable(pair, this.#clock.dateMs());
    this.giveUp('cancelled because another certificate was uploaded');
    await this.#use(pair, { provider: 'ssl', domain: (await this.#repository.choice()).domain });
    // Why an order failed before is of no interest now.
    await this.#repository.forgetOutcome();
  }

  /** Only where there is no part of a pair: nothing of the owner's is ever replaced. */
  async ensureSelfSigned(): Promise<void> {
    if (await this.#files.hasAny()) return;
    const { domain } = await this.#repository.choice();
    await this.#use(makeSelfSigned(new Date(this.#clock.dateMs())), { provider: 'ssl', domain });
  }

  /** Starts an order, or joins the running one, and waits for a while. Fails when the order has failed by then. */
  async order(domain: string): Promise<CertOrder> {
    if (this.#order && this.#order.domain !== domain)
      throw new WeirError('invalid_input', 'another certificate is being requested, try again when it is done');
    this.#order ??= this.#begin(domain);
    const wait = new AbortController();
    try {
      await Promise.race([this.#order.done, this.#clock.pause(certs.answerWithinMs, wait.signal)]);
    } finally {
      wait.abort();
    }
    return this.#lastOrder();
  }

  /** Ends a running order; what is in use stays. */
  giveUp(why: string): void {
    this.#order?.abort.abort(new Error(why));
  }

  /** Orders again before the certificate ends, and after failures ever less often. */
  async keepRenewed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Set before looking, so that a change in between is not slept through.
      this.#alarm = new AbortController();
      const { domain, dueMs } = await this.#nextRenewal();
      let waitMs = Math.min(longestWaitMs, dueMs - this.#clock.dateMs());
      if (waitMs <= 0) {
        // The minimum pause prevents a tight loop of orders whatever the store or the clock say.
        waitMs = (await this.#renew(domain)) ? leastPauseMs : longestWaitMs;
        this.#alarm = new AbortController();
      }
      const ended = AbortSignal.any([signal, this.#alarm.signal]);
      await this.#clock.pause(waitMs, ended).catch(() => undefined);
    }
    await this.#order?.done.catch(() => undefined);
  }

  /** Says whether it worked. Why not is stored, shown and logged where it happened. */
  async #renew(domain: string): Promise<boolean> {
    try {
      await this.order(domain);
      await this.#order?.done;
      return true;
    } catch {
      return false;
    }
  }

  #begin(domain: string): Order {
    const abort = new AbortController();
    const done = this.#issue(domain, AbortSignal.any([abort.signal, AbortSignal.timeout(orderMs)])).finally(() => {
      this.#order = undefined;
      this.#alarm.abort();
    });
    // Rejects for a waiting caller; without one, the failure is in the store.
    done.catch(() => undefined);
    return { domain, startedAt: this.#clock.dateMs(), abort, done };
  }

  async #issue(domain: string, signal: AbortSignal): Promise<void> {
    try {
      const pair = await Promise.race([this.#issuer.issue(domain), failWhen(signal)]);
      assertUsable(pair, this.#clock.dateMs());
      if (!isFor(pair.crt, domain)) throw new Error('the issued certificate is for another name');
      await this.#use(pair, { provider: 'lets', domain });
      await this.#repository.saveOutcome({
        state: 'issued',
        domain,
        at: this.#clock.dateMs(),
        reason: '',
        fault: 'other',
        failures: 0,
      });
    } catch (error) {
      const [reason, fault] = [reasonOf(error), faultOf(error)];
      this.#log.warn({ domain, fault, reason }, 'certificate not issued');
      const before = await this.#repository.outcome();
      const failures = (before?.domain === domain ? before.failures : 0) + 1;
      await this.#repository.saveOutcome({
        state: 'failed',
        domain,
        at: this.#clock.dateMs(),
        reason,
        fault,
        failures,
      });
      throw new WeirError('certificate_failed', reason, { cause: error, why: { kind: fault, fact: domain } });
    }
  }

  async #use(pair: PemPair, choice: Choice): Promise<void> {
    await this.#files.install(pair);
    await this.#repository.choose(choice);
    const { names, expireAt } = describeCertificate(pair.crt);
    this.#log.info({ provider: choice.provider, names, expireAt }, 'certificate replaced');
    this.#alarm.abort();
  }

  /** Stored choice, corrected by the files that exist: the owner may have added or removed them. */
  async #choice(pair: PemPair | undefined): Promise<Choice> {
    const { provider, domain } = await this.#repository.choice();
    return { provider: pair ? provider || 'ssl' : '', domain };
  }

  async #lastOrder(): Promise<CertOrder> {
    if (this.#order) {
      const { domain, startedAt } = this.#order;
      return { state: 'running', domain, at: new Date(startedAt).toISOString(), reason: '' };
    }
    const outcome = await this.#repository.outcome();
    if (!outcome) return { state: 'none', domain: '', at: null, reason: '' };
    const { state, domain, at, reason, fault } = outcome;
    return { state, domain, at: new Date(at).toISOString(), reason, ...(state === 'failed' && { fault }) };
  }

  async #nextRenewal(): Promise<{ domain: string; dueMs: number }> {
    const never = { domain: '', dueMs: Number.POSITIVE_INFINITY };
    try {
      const choice = await this.#repository.choice();
      if (choice.provider !== 'lets' || choice.domain === '') return never;
      const pair = await this.#files.read();
      return { domain: choice.domain, dueMs: await this.#renewalAt(choice, pair && factsOf(pair)) };
    } catch (error) {
      // Settings or files that cannot be read now may be readable in an hour.
      this.#log.warn({ err: error }, 'certificate renewal could not be checked');
      return never;
    }
  }

  async #renewalAt({ domain }: Choice, certificate: CertificateFacts | undefined): Promise<number> {
    const outcome = await this.#repository.outcome();
    const failures = outcome?.domain === domain ? outcome.failures : 0;
    return renewalAt({ certificate, failures, failedAt: outcome?.at ?? 0 });
  }
}

/** Files that were damaged from outside are as good as none. */
function factsOf({ crt }: PemPair): CertificateFacts | undefined {
  try {
    return describeCertificate(crt);
  } catch {
    return undefined;
  }
}

function failWhen(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function faultOf(error: unknown): OrderFault {
  if (error instanceof OrderError) return error.fault;
  return error instanceof Error && error.name === 'TimeoutError' ? 'authority' : 'other';
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'the certificate authority took too long';
  const text = errorMessage(error);
  return text.replace(/\s+/g, ' ').trim().slice(0, reasonCharacters) || 'no reason was given';
}
