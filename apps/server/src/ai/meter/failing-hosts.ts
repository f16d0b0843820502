import { type AiCause, type AiFeature, aiHosts } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';

/** A host that has not answered a feature for a while. */
interface FailingHost {
  readonly feature: AiFeature;
  readonly host: string;
  readonly sinceMs: number;
  readonly lastMs: number;
  /** In a row. */
  readonly count: number;
  readonly cause: AiCause;
}

/** Shorter than this it may be a restart, and once or twice is chance. */
const patienceMs = 60_000;
const tooOften = 3;
/** Without requests for this long, a failure is no longer reported. */
const forgetMs = 300_000;
/** Hosts are typed by people. */
const most = 100;

/** Failing hosts and the start of their failure. In memory only: a persisting failure shows again after a restart. */
export class FailingHosts {
  readonly #clock: Pick<Clock, 'dateMs' | 'elapsedMs'>;
  readonly #failing = new Map<string, FailingHost & { readonly beganMs: number }>();

  constructor(clock: Pick<Clock, 'dateMs' | 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** A call ended: with a cause, or well. */
  note(feature: AiFeature, host: string, cause: AiCause | undefined): void {
    // Built-in AI has an alert of its own, and a test is somebody who looks.
    if (host === aiHosts.builtIn || feature === 'check') return;
    const key = `${feature}/${host}`;
    const known = this.#failing.get(key);
    this.#failing.delete(key);
    if (cause === undefined) return;
    const lastMs = this.#clock.elapsedMs();
    const isOld = known !== undefined && lastMs - known.lastMs > forgetMs;
    const began = known && !isOld ? known : { sinceMs: this.#clock.dateMs(), beganMs: lastMs, count: 0 };
    const { sinceMs, beganMs, count } = began;
    this.#failing.set(key, { feature, host, sinceMs, beganMs, lastMs, count: count + 1, cause });
    for (const oldest of this.#failing.keys()) if (this.#failing.size > most) this.#failing.delete(oldest);
  }

  /** Hosts that have failed long enough for an alert. */
  get long(): readonly FailingHost[] {
    const nowMs = this.#clock.elapsedMs();
    return [...this.#failing.values()].filter(
      ({ beganMs, lastMs, count }) => count >= tooOften && lastMs - beganMs >= patienceMs && nowMs - lastMs <= forgetMs,
    );
  }
}
