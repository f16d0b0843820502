import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from './run-program.ts';

const defaultEveryMs = 1000;
const answerMs = 3000;
/** One answer is not enough: a version may start and end again. */
const answersInARow = 5;

interface Options {
  /** Origin of the server's own HTTP port. */
  readonly origin: string;
  readonly systemctl?: string;
  /** Between two looks at its health. */
  readonly everyMs?: number;
}

/** The service of the system that runs Weir. */
export class Service {
  readonly #origin: string;
  readonly #systemctl: string;
  readonly #everyMs: number;

  constructor({ origin, systemctl = 'systemctl', everyMs = defaultEveryMs }: Options) {
    this.#origin = origin;
    this.#systemctl = systemctl;
    this.#everyMs = everyMs;
  }

  /** Takes the installed version with as short an interruption as possible; starts a service that does not run. */
  reload(): void {
    runProgram(this.#systemctl, ['reload-or-restart', 'weir']);
  }

  stop(): void {
    runProgram(this.#systemctl, ['stop', 'weir']);
  }

  start(): void {
    runProgram(this.#systemctl, ['start', 'weir']);
  }

  /** Empty once this version has answered several times in a row; else what the last answer was. */
  async problemOf(version: string, withinMs: number): Promise<string> {
    const endMs = performance.now() + withinMs;
    let inARow = 0;
    let problem = '';
    while (performance.now() < endMs) {
      problem = await this.#look(version);
      inARow = problem === '' ? inARow + 1 : 0;
      if (inARow === answersInARow) return '';
      await sleep(this.#everyMs);
    }
    return problem === '' ? 'it answered too seldom' : problem;
  }

  async #look(version: string): Promise<string> {
    try {
      const { data } = (await this.#get('mgmt/versions').then((answer) => answer.json())) as {
        data?: { version?: unknown };
      };
      if (data?.version !== version) return `version ${String(data?.version).slice(0, 64)} responds`;
      const { ok, status } = await this.#get('mgmt/check');
      return ok ? '' : `its health check responds with ${status}`;
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? 'it does not respond' : 'it is not reachable';
    }
  }

  #get(path: string): Promise<Response> {
    return fetch(`${this.#origin}/terraform/v1/${path}`, { signal: AbortSignal.timeout(answerMs) });
  }
}
