import { isIP } from 'node:net';
import { join } from 'node:path';
import { type DoctorCheck, type DoctorFinding, doctorChecks, doctorLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import { isLoopbackHost } from '@weir/streams';
import { isoNow } from '../../core/clock.ts';
import { certificateCheck, firstName, readLeaf } from './certificate-check.ts';
import type { Check, DoctorContext, Question, Result } from './check.ts';
import {
  clockCheck,
  diskCheck,
  encoderCheck,
  ffmpegCheck,
  filesCheck,
  memoryCheck,
  speedCheck,
  zoneCheck,
} from './machine-checks.ts';
import { candidateCheck, listeningCheck, nameCheck, rtmpCheck, srtCheck } from './network-checks.ts';

const checks: readonly Check[] = [
  nameCheck,
  listeningCheck,
  rtmpCheck,
  srtCheck,
  candidateCheck,
  certificateCheck,
  clockCheck,
  zoneCheck,
  diskCheck,
  speedCheck,
  ffmpegCheck,
  encoderCheck,
  memoryCheck,
  filesCheck,
];

/** What a caller knows and the server does not. */
export interface Visitor {
  /** Public host name, as the caller gave it; empty if it gave none. */
  readonly name: string;
  readonly pageHost: string;
  readonly browserMs: number | undefined;
  readonly browserZone: string;
}

interface Run {
  readonly startedAt: string;
  readonly findings: DoctorFinding[];
  readonly done: Promise<void>;
  isRunning: boolean;
}

interface Context extends DoctorContext {
  readonly log: Log;
  /** Checks to run; all by default. */
  readonly only?: readonly DoctorCheck[];
  /** Removes known secrets from a text. */
  readonly hide: (text: string) => string;
}

/** Runs all checks, each with a time limit. Callers that come while they run get the same run. */
export class Doctor {
  readonly #context: Context;
  #run: Run | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Starts a run, unless one is under way. */
  start(visitor: Visitor): void {
    if (this.#run?.isRunning) return;
    const findings: DoctorFinding[] = [];
    const run: Run = {
      startedAt: isoNow(this.#context.clock),
      findings,
      isRunning: true,
      done: this.#examine(visitor, findings).finally(() => {
        run.isRunning = false;
      }),
    };
    this.#run = run;
  }

  get report(): { startedAt: string; isRunning: boolean; findings: DoctorFinding[] } {
    const { startedAt = '', isRunning = false, findings = [] } = this.#run ?? {};
    const order = (finding: DoctorFinding) => doctorChecks.indexOf(finding.check);
    return { startedAt, isRunning, findings: findings.toSorted((a, b) => order(a) - order(b)) };
  }

  /** Resolves when the current run is over. */
  async finished(): Promise<void> {
    await this.#run?.done;
  }

  async #examine(visitor: Visitor, findings: DoctorFinding[]): Promise<void> {
    const { clock, config } = this.#context;
    const ahead = visitor.browserMs === undefined ? undefined : visitor.browserMs - clock.dateMs();
    const leaf = await readLeaf(join(config.dataDir, 'config', 'nginx.crt'));
    const names = [
      visitor.name,
      visitor.pageHost,
      config.mediaHost,
      leaf && !leaf.checkIssued(leaf) ? firstName(leaf) : '',
    ];
    const question = {
      ...this.#context,
      name: names.find(isPublicName) ?? '',
      pageHost: visitor.pageHost,
      browserAheadMs: ahead,
      browserZone: visitor.browserZone,
    };
    const { only } = this.#context;
    const wanted = checks.filter(({ name }) => only?.includes(name) ?? true);
    await Promise.all(wanted.map(async (check) => findings.push(await this.#finding(check, question))));
  }

  async #finding(check: Check, question: Omit<Question, 'signal'>): Promise<DoctorFinding> {
    const { name, withinMs = doctorLimits.checkMs, run } = check;
    const began = this.#context.clock.elapsedMs();
    const deadline = AbortSignal.timeout(withinMs);
    const late = new Promise<Result>((resolve) => {
      deadline.addEventListener('abort', () =>
        resolve({ verdict: 'skipped', reason: 'common.late', facts: { seconds: withinMs / 1000 } }),
      );
    });
    const result = await Promise.race([run({ ...question, signal: deadline }), late]).catch(
      (error: unknown): Result => {
        this.#context.log.warn({ err: error, check: name }, 'a check failed');
        return { verdict: 'skipped', reason: 'common.failed' };
      },
    );
    const { verdict, reason, facts = {}, command = '', tab = '' } = result;
    const { hide } = this.#context;
    return {
      check: name,
      verdict,
      reason,
      facts: Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, hide(String(value))])),
      command: hide(command),
      tab,
      tookMs: Math.round(this.#context.clock.elapsedMs() - began),
    };
  }
}

/** A host name that others could use: no address, and not this machine. It becomes part of commands. */
function isPublicName(name: string): boolean {
  return (
    isIP(name) === 0 &&
    !isLoopbackHost(name) &&
    /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(name) &&
    name.includes('.')
  );
}
