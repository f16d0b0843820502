import {
  fieldsOfService,
  keyMask,
  type NotificationAttempt,
  type NotificationChannel,
  notificationLimits,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { chatServices } from './chat-services.ts';
import { sendEmail } from './email-sender.ts';
import type { Message } from './notice-text.ts';
import { type PushKeys, sendPush } from './push-sender.ts';

/** Answer of a service, in its own words. */
export interface Answer {
  readonly isAccepted: boolean;
  readonly status: number;
  readonly answer: string;
}

interface Context {
  readonly outgoing: OutgoingClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly pushKeys: () => Promise<PushKeys>;
}

type Target = Pick<NotificationChannel, 'name' | 'service' | 'fields'>;

/** Sends one message by one channel. Does not throw for what the service does. */
export async function sendNotice(context: Context, target: Target, message: Message): Promise<NotificationAttempt> {
  const { clock, log } = context;
  const startedMs = clock.dateMs();
  const facts = () => ({ at: new Date(startedMs).toISOString(), tookMs: clock.dateMs() - startedMs });
  try {
    const { isAccepted, status, answer } = await deliver(context, target, message, startedMs);
    const excerpt = hideSecrets(answer, target).slice(0, notificationLimits.answerCharacters);
    if (!isAccepted) log.warn({ channel: target.name, service: target.service, status }, 'notification refused');
    const error = isAccepted ? '' : `the service refused the message (${status})`;
    return {
      ...facts(),
      ok: isAccepted,
      status,
      answer: excerpt,
      failure: isAccepted ? '' : 'status',
      fact: String(status),
      error,
    };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    log.warn({ channel: target.name, service: target.service, reason: error.message }, 'notification failed');
    return {
      ...facts(),
      ok: false,
      status: 0,
      answer: '',
      failure: error.failure,
      fact: error.fact,
      error: error.message,
    };
  }
}

async function deliver(
  { outgoing, pushKeys }: Context,
  { service, fields }: Target,
  message: Message,
  nowMs: number,
): Promise<Answer> {
  if (service === 'email') return sendEmail(fields, message);
  if (service === 'push')
    return sendPush(outgoing, { fields, keys: await pushKeys(), contact: contactOf(message) }, message);
  const { request, accepts } = chatServices[service];
  const { status, body } = await outgoing.send(request(fields, message, nowMs), {
    ownNetwork: 'named',
    verifiesTls: true,
    redirects: 0,
    withinMs: notificationLimits.answerWithinMs,
    answerBytes: notificationLimits.answerBytes,
  });
  const answer = body.toString('utf8');
  const isTaken = accepts === undefined || accepts(parsed(answer));
  return { isAccepted: status >= 200 && status < 300 && isTaken, status, answer };
}

/** Whom the push service may turn to: this server, by its address if that is encrypted. */
function contactOf({ link }: Message): string {
  if (!URL.canParse(link)) return 'mailto:admin@localhost';
  const { protocol, origin, hostname } = new URL(link);
  return protocol === 'https:' ? origin : `mailto:admin@${hostname}`;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A service may repeat what it was sent. */
function hideSecrets(text: string, { service, fields }: Target): string {
  const secrets = fieldsOfService(service).flatMap(({ name, isSecret }) => (isSecret ? [fields[name] ?? ''] : []));
  return secrets.filter((secret) => secret !== '').reduce((left, secret) => left.replaceAll(secret, keyMask), text);
}
