import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { leaseMs, type RedisLease } from '../core/store/redis/redis-lease.ts';

const renewEachMs = 1500;
const askEachMs = 1000;
/** Before others may take over: what runs here has to have ended by then. */
const giveUpMs = leaseMs - 1500;

interface Context {
  readonly lease: Pick<RedisLease, 'take' | 'renew'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called once, when everything that leading means may begin. */
  readonly onLead: () => Promise<void>;
  /** Called when leadership is lost; work of a leader must stop at once. */
  readonly onLost: (reason: string) => void;
}

/** Tries to become leader, then leads while it can prove to be the only one. */
export class LeaderElection {
  readonly #context: Context;
  #leader: string | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** URL of the leader as last seen; undefined if none is known. */
  get leader(): string | undefined {
    return this.#leader;
  }

  /** True when this process leads now. */
  async tryOnce(): Promise<boolean> {
    try {
      const taken = await this.#context.lease.take();
      this.#leader = taken === true ? undefined : taken.leader;
      return taken === true;
    } catch (error) {
      this.#context.log.debug({ err: error }, 'could not determine which server leads');
      this.#leader = undefined;
      return false;
    }
  }

  async run(signal: AbortSignal, isLeading: boolean): Promise<void> {
    const { clock, log, onLead, onLost } = this.#context;
    if (!isLeading) {
      while (!(await this.tryOnce())) await clock.pause(askEachMs, signal);
      log.info('this server leads now');
    }
    const begin = async () => {
      if (!isLeading) await onLead();
    };
    // The lease is renewed meanwhile: with much to read, beginning may take longer than it lasts.
    const beginning = begin().catch((error: unknown) => {
      log.error({ err: error }, 'could not take over');
      onLost('could not take over');
    });
    await Promise.all([beginning, this.#keep(signal)]);
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { lease, clock, onLost } = this.#context;
    // From before the question was sent: when the database began to count is not known here.
    let provenAtMs = clock.elapsedMs();
    while (!signal.aborted) {
      await clock.pause(renewEachMs, signal);
      const askedAtMs = clock.elapsedMs();
      const leftMs = provenAtMs + giveUpMs - askedAtMs;
      const isOurs = await Promise.race([
        lease.renew().catch(() => undefined),
        clock.pause(Math.max(0, leftMs), signal).catch(() => undefined),
      ]);
      if (signal.aborted) return;
      if (isOurs === false) return onLost('another server has taken over');
      if (isOurs) provenAtMs = askedAtMs;
      else if (clock.elapsedMs() - provenAtMs >= giveUpMs) return onLost('the database did not respond in time');
    }
  }
}
