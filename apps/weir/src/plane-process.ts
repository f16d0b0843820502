import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Boot, PlaneMessage, PlaneName, ReadyFacts } from '@weir/plane';
import { restartDelayMs } from './backoff.ts';
import type { LogLines } from './log-lines.ts';

const readyWithinMs = 30_000;
const stopWithinMs = 4500;
/** A plane that served for this long has proved itself: the next failure counts as the first. */
const stableAfterMs = 30_000;

interface Options {
  readonly name: PlaneName;
  readonly entry: string;
  readonly boot: Boot;
  readonly env: NodeJS.ProcessEnv;
  readonly log: LogLines;
}

/** Keeps one plane running: starts it, hears that it serves, starts it again when it ends, stops it for good. */
export class PlaneProcess {
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #attempt = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when the plane serves for the first time; rejects, with its reason, when it cannot. */
  async start(): Promise<ReadyFacts> {
    return this.#launch();
  }

  /** Ends the plane at once or, if it does not listen, soon after. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    await this.#end();
  }

  /** For development: the code changed. */
  async restart(): Promise<void> {
    this.#attempt = 0;
    await this.#end();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      child.once('exit', () => {
        clearTimeout(kill);
        resolve();
      });
      child.kill('SIGTERM');
    });
  }

  #launch(): Promise<ReadyFacts> {
    const { name, entry, boot, env, log } = this.#options;
    const startedAt = Date.now();
    const child = fork(entry, [], {
      env,
      // Programs read JSON straight from the plane; for people the launcher turns it into text.
      stdio: ['ignore', log.isPretty ? 'pipe' : 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => log.writeLine(line));

    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => child.kill('SIGKILL'), readyWithinMs);
      let failure = `the ${name} ended before it could serve`;
      let isReady = false;
      child.on('message', (message: PlaneMessage) => {
        if (message.type === 'failed') {
          failure = message.message;
          return;
        }
        isReady = true;
        clearTimeout(tooLate);
        resolve(message.facts);
      });
      child.on('error', (error) => log.say('error', 'plane process failed', { plane: name, reason: error.message }));
      child.once('exit', (code, signal) => {
        clearTimeout(tooLate);
        reject(new Error(failure));
        if (this.#isStopping) return;
        if (isReady && Date.now() - startedAt >= stableAfterMs) this.#attempt = 0;
        // The first start is the operator's to mend; whoever awaits it decides. Later ones are ours.
        if (isReady || this.#attempt > 0) this.#restartSoon({ code, signal, ...(isReady ? {} : { reason: failure }) });
      });
      child.send(boot, (error) => {
        if (error) log.say('debug', 'plane ended before it was told anything', { plane: name });
      });
    });
  }

  #restartSoon(cause: { code: number | null; signal: string | null; reason?: string }): void {
    const { name, log } = this.#options;
    this.#attempt += 1;
    const delayMs = restartDelayMs(this.#attempt);
    log.say('error', 'plane ended, starting it again', { plane: name, ...cause, attempt: this.#attempt, delayMs });
    this.#restartTimer = setTimeout(() => {
      // A failure of this launch arrives as an exit as well, which schedules the next one.
      this.#launch().catch(() => undefined);
    }, delayMs);
  }
}
