import {
  type Alert,
  type HookDelivery,
  type Hooks,
  type HooksChange,
  hookLimits,
  hookTestEvent,
  isSameHost,
} from '@weir/contract';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { callbackAlert } from './callback-alert.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryRepository } from './delivery-repository.ts';
import { formatBody, type HookMessage, hookMessage } from './hook-message.ts';
import type { HookSender, Tried } from './hook-sender.ts';
import type { HooksRepository, HooksSettings } from './hooks-repository.ts';
import type { TriedDelivery } from './note-tried.ts';

interface Context {
  readonly hooks: HooksRepository;
  readonly deliveries: DeliveryRepository;
  readonly queue: DeliveryQueue;
  readonly sender: HookSender;
  readonly onTried: (tried: TriedDelivery) => void;
  readonly clock: Clock;
}

/** Longest wait of a publisher for the delivery of its previous stream's end. */
const settleMs = 1000;
const settleStepMs = 50;

/** Tells a receiver of the owner's what happens here, and asks it who may publish. */
export class HooksService {
  readonly #context: Context;
  /** Since when the receiver is the one it is now, as far as this process knows. */
  #judgedFrom = '';

  constructor(context: Context) {
    this.#context = context;
  }

  async query(): Promise<Hooks> {
    const { hooks, deliveries } = this.#context;
    const [settings, secret, all] = await Promise.all([hooks.settings(), hooks.secret(), deliveries.list()]);
    const tried = all.map(({ delivery }) => delivery).filter(({ triedAt }) => triedAt !== '');
    const last = tried.reduce<HookDelivery | undefined>(
      (newest, delivery) => (newest && newest.triedAt > delivery.triedAt ? newest : delivery),
      undefined,
    );
    const { req = '', res = '', status = 0, tookMs = 0, triedAt = '' } = last ?? {};
    const { failure = '', fact = '', said = '', error = '' } = last ?? {};
    const waiting = all.filter(({ delivery }) => delivery.state === 'waiting').length;
    return { ...settings, secret, req, res, status, failure, fact, said, error, tookMs, triedAt, waiting };
  }

  /** Applies a change; absent fields stay as they are. */
  async apply(change: HooksChange, origin: string): Promise<void> {
    const { hooks, queue } = this.#context;
    const before = await hooks.settings();
    const target = change.target ?? before.target;
    // Exceptions granted to one host do not carry over to another.
    const leave = isSameHost(before.target, target) ? before : { verifyTls: true, ownNetwork: false };
    const settings: HooksSettings = {
      target,
      opaque: change.opaque ?? before.opaque,
      all: change.all ?? before.all,
      host: (change.host ?? before.host) || origin,
      verifyTls: change.verifyTls ?? leave.verifyTls,
      ownNetwork: change.ownNetwork ?? leave.ownNetwork,
    };
    if (settings.all && settings.target === '') throw new WeirError('missing_field', 'target is required');
    await hooks.save(settings);
    const { verifyTls, ownNetwork } = before;
    const isOther = before.target !== target || verifyTls !== settings.verifyTls || ownNetwork !== settings.ownNetwork;
    if (isOther) this.#judgedFrom = isoNow(this.#context.clock);
    // A new target deserves a try at once.
    await queue.hurry();
  }

  async alerts(): Promise<Alert[]> {
    const { hooks, deliveries } = this.#context;
    const [settings, placed] = await Promise.all([hooks.settings(), deliveries.list()]);
    const all = placed.map(({ delivery }) => delivery);
    return callbackAlert({ settings, deliveries: all, judgedFrom: this.#judgedFrom });
  }

  rotateSecret(): Promise<string> {
    return this.#context.hooks.rotateSecret();
  }

  /** Newest first. */
  async list(): Promise<HookDelivery[]> {
    return (await this.#context.deliveries.list()).map(({ delivery }) => delivery).reverse();
  }

  retry(requestId: string): Promise<void> {
    return this.#context.queue.retry(requestId);
  }

  /** Sends now, also while events are not sent, and waits for the answer. */
  async test(): Promise<HookDelivery> {
    const { target } = await this.#context.hooks.settings();
    if (target === '') throw new WeirError('missing_field', 'target is required, save a callback URL first');
    return (await this.#sendNow(hookMessage(hookTestEvent, {}), hookLimits.answerWithinMs)).delivery;
  }

  /** For events that have happened and need no permission. `compose` gets this server's address for links. */
  async tell(compose: (host: string) => HookMessage): Promise<void> {
    const { all, target, host } = await this.#context.hooks.settings();
    if (all && target !== '') await this.#context.queue.add(newDelivery(compose(host), isoNow(this.#context.clock)));
  }

  /** Stores the event and resolves with the end of its first attempt. Undefined without a receiver. */
  async tellWatched(compose: (host: string) => HookMessage): Promise<{ tried: Promise<void> } | undefined> {
    const { all, target, host } = await this.#context.hooks.settings();
    if (!all || target === '') return undefined;
    const delivery = newDelivery(compose(host), isoNow(this.#context.clock));
    return this.#context.queue.addWatched(delivery, hookLimits.answerWithinMs);
  }

  /** Asks whether this may happen; throws `publish_refused` with the reason unless the receiver agrees. */
  async ask(message: HookMessage): Promise<void> {
    const { all, target } = await this.#context.hooks.settings();
    if (!all || target === '') return;
    const { clock } = this.#context;
    const startedMs = clock.elapsedMs();
    await this.#awaitEarlier(message.stream);
    const leftMs = Math.ceil(hookLimits.answerWithinMs - (clock.elapsedMs() - startedMs));
    const { delivery, outcome } = await this.#sendNow(message, leftMs);
    if (outcome === 'delivered') {
      // The receiver answers again, so waiting deliveries are sent now.
      await this.#context.queue.hurry();
      return;
    }
    throw new WeirError('publish_refused', sentenceOf(outcome, delivery));
  }

  /** Asks the receiver about a viewer; throws if it refuses. Viewers are many, so these deliveries are not stored. */
  async askPlay(message: HookMessage): Promise<void> {
    const { all, target } = await this.#context.hooks.settings();
    if (!all || target === '') throw new WeirError('publish_refused', 'nobody decides who may watch this stream');
    const delivery = newDelivery(message, isoNow(this.#context.clock));
    const { outcome, said } = await this.#context.sender.send(delivery, { withinMs: hookLimits.answerWithinMs });
    if (outcome === 'delivered') return;
    const reason = outcome === 'refused' ? said || 'you may not watch this stream' : 'try again shortly';
    throw new WeirError('publish_refused', reason);
  }

  /** A receiver must not hear of the end of a stream after its next beginning, if that can be helped. */
  async #awaitEarlier(stream: string): Promise<void> {
    const { clock, queue, deliveries } = this.#context;
    const deadlineMs = clock.elapsedMs() + settleMs;
    if (!(await queue.hurry(stream))) return;
    while (clock.elapsedMs() < deadlineMs && (await deliveries.isWaiting(stream))) await clock.pause(settleStepMs);
  }

  async #sendNow(
    message: HookMessage,
    withinMs: number,
  ): Promise<{ delivery: HookDelivery; outcome: Tried['outcome'] }> {
    const delivery = newDelivery(message, isoNow(this.#context.clock));
    const { outcome, ...tried } = await this.#context.sender.send(delivery, { withinMs });
    this.#context.onTried({ ...tried, outcome, action: delivery.action });
    const done = { ...delivery, ...tried, attempts: 1, state: outcome === 'stopped' ? ('failed' as const) : outcome };
    await this.#context.deliveries.add(done);
    return { delivery: done, outcome };
  }
}

/** Reason for the publisher: the receiver's own words for a refusal, otherwise only that it could not be reached. */
function sentenceOf(outcome: Tried['outcome'], { said }: HookDelivery): string {
  if (outcome !== 'refused') return 'the callback receiver could not be reached, so publishing is not allowed';
  return `the callback receiver rejected this stream${said === '' ? '' : `: ${said}`}`;
}

/** Event before its first delivery. */
export function newDelivery(message: HookMessage, createdAt: string): HookDelivery {
  return {
    request_id: message.requestId,
    action: message.action,
    stream: message.stream,
    state: 'waiting',
    attempts: 0,
    createdAt,
    triedAt: '',
    nextAt: '',
    status: 0,
    tookMs: 0,
    failure: '',
    fact: '',
    said: '',
    error: '',
    req: formatBody(message, ''),
    res: '',
  };
}
