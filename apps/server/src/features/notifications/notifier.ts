import type {
  Alert,
  Diagnosis,
  NotificationAttempt,
  NotificationChannel,
  NotificationChannelChange,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { ChannelRepository, ChannelState } from './channel-repository.ts';
import { NoticePace, nextSummaryMs, planNotice } from './notice-plan.ts';
import { sendNotice } from './notice-sender.ts';
import { composeMessage, type Message, testMessage } from './notice-text.ts';
import { type Problem, problemsOf } from './problem.ts';

/** A message leaves within five seconds of its cause. */
const lookMs = 3000;
/** Delays before another attempt by a channel that fails. */
const retriesMs = [10_000, 30_000, 120_000, 600_000];

interface Context {
  readonly channels: ChannelRepository;
  readonly diagnose: () => Promise<{ readonly alerts: readonly Alert[]; readonly diagnosis: Diagnosis }>;
  readonly outgoing: OutgoingClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** What one channel is doing; lost at a restart. */
interface Work {
  readonly pace: NoticePace;
  last: NotificationAttempt | undefined;
  failures: number;
  retryAtMs: number;
  /** Undefined until it is read. */
  state: ChannelState | undefined;
  sending: Promise<void> | undefined;
}

/** Watches for problems while a channel is on, and tells each channel what it wants to know. */
export class Notifier {
  readonly #context: Context;
  readonly #work = new Map<string, Work>();
  /** Kept in memory, so that an unreachable database can be reported. */
  #loaded: { readonly active: readonly NotificationChannel[]; readonly address: string } | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    while (!signal.aborted) {
      await this.look().catch((error: unknown) => log.warn({ err: error }, 'notifications could not be planned'));
      await clock.pause(lookMs, signal).catch(() => undefined);
    }
    await this.settled();
  }

  /** Resolves when all messages that were being sent have an answer. */
  async settled(): Promise<void> {
    await Promise.all([...this.#work.values()].map(({ sending }) => sending));
  }

  /** Starts what is due. A slow service delays no other. */
  async look(): Promise<void> {
    const { active } = await this.#load();
    if (active.length === 0) return;
    const { alerts, diagnosis } = await this.#context.diagnose();
    const problems = problemsOf(alerts, diagnosis, this.#context.clock.dateMs());
    for (const channel of active) await this.#notify(channel, problems);
  }

  lastOf(id: string): NotificationAttempt | undefined {
    return this.#work.get(id)?.last;
  }

  async openOf(id: string): Promise<number> {
    const state = this.#work.get(id)?.state ?? (await this.#context.channels.state(id));
    return state.noted.filter(({ isPending, goneAtMs }) => !isPending && goneAtMs === 0).length;
  }

  /** A channel that was mended is tried at once. */
  changed(id: string): void {
    this.#loaded = undefined;
    const work = this.#work.get(id);
    if (work) Object.assign(work, { failures: 0, retryAtMs: 0 });
  }

  forget(id: string): void {
    this.#loaded = undefined;
    this.#work.delete(id);
  }

  async test(change: NotificationChannelChange): Promise<NotificationAttempt> {
    const channel = await this.#context.channels.complete(change);
    const attempt = await this.#send(channel, testMessage(await this.#setting(channel)));
    if (change.id !== undefined) this.#workOf(change.id).last = attempt;
    return attempt;
  }

  #send(channel: NotificationChannel, message: Message): Promise<NotificationAttempt> {
    const { channels, ...context } = this.#context;
    return sendNotice({ ...context, pushKeys: () => channels.pushKeys() }, channel, message);
  }

  #workOf(id: string): Work {
    const known = this.#work.get(id);
    if (known) return known;
    const work = {
      pace: new NoticePace(),
      last: undefined,
      failures: 0,
      retryAtMs: 0,
      state: undefined,
      sending: undefined,
    };
    this.#work.set(id, work);
    return work;
  }

  async #load() {
    const { channels } = this.#context;
    this.#loaded ??= {
      active: (await channels.list()).filter(({ enabled }) => enabled),
      address: await channels.address(),
    };
    return this.#loaded;
  }

  async #setting({ language, rules }: Pick<NotificationChannel, 'language' | 'rules'>) {
    const { address } = await this.#load();
    const server = URL.canParse(address) ? new URL(address).hostname : 'Weir';
    return { language, server, address, zone: rules.zone };
  }

  async #notify(channel: NotificationChannel, problems: readonly Problem[]): Promise<void> {
    const { channels, clock, log } = this.#context;
    const work = this.#workOf(channel.id);
    if (work.sending) return;
    const nowMs = clock.dateMs();
    const before = work.state ?? (await channels.state(channel.id));
    const { rules } = channel;
    const summaryAtMs = before.summaryAtMs || nowMs;
    const dueMs = rules.digest === 'none' ? work.pace.notBeforeMs() : nextSummaryMs(rules, summaryAtMs);
    const notBeforeMs = Math.max(dueMs, work.retryAtMs);
    const { notice, noted, notedAfter } = planNotice({ rules, noted: before.noted, problems, nowMs, notBeforeMs });
    work.state = { noted: [...noted], summaryAtMs };
    if (!notice) {
      if (isOther(before, work.state)) await this.#keep(channel, work);
      return;
    }
    const message = composeMessage(notice, await this.#setting(channel), nowMs);
    work.sending = this.#send(channel, message)
      .then(async (attempt) => {
        work.last = attempt;
        if (attempt.ok) {
          work.pace.sent(clock.dateMs());
          Object.assign(work, { failures: 0, retryAtMs: 0 });
          work.state = { noted: [...notedAfter], summaryAtMs: nowMs };
        } else {
          work.retryAtMs = clock.dateMs() + (retriesMs[Math.min(work.failures, retriesMs.length - 1)] ?? 0);
          work.failures++;
        }
        await this.#keep(channel, work);
      })
      .catch((error: unknown) => log.error({ err: error, channel: channel.name }, 'notification was not sent'))
      .finally(() => {
        work.sending = undefined;
      });
  }

  /** Without it a restart repeats messages. A channel that was removed meanwhile leaves nothing behind. */
  async #keep({ id, name }: NotificationChannel, work: Work): Promise<void> {
    if (!work.state || this.#work.get(id) !== work) return;
    const { channels, log } = this.#context;
    await channels
      .keepState(id, work.state)
      .catch((error: unknown) => log.warn({ err: error, channel: name }, 'state of a channel was not saved'));
  }
}

/** Problems of the same key differ by what the plan decides. */
function isOther(one: ChannelState, other: ChannelState): boolean {
  if (one.summaryAtMs !== other.summaryAtMs || one.noted.length !== other.noted.length) return true;
  return other.noted.some((now, index) => {
    const before = one.noted[index];
    return before?.key !== now.key || before.isPending !== now.isPending || before.goneAtMs !== now.goneAtMs;
  });
}
