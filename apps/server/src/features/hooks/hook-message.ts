import { randomUUID } from 'node:crypto';
import type { HookEvent, hookTestEvent } from '@weir/contract';

/** Longer queries are cut, because publishers choose them. */
const paramCharacters = 2048;

interface Place {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

/** Fields of an event beside those that all have. Names are those of the wire. */
type Extra = Readonly<Record<string, string | number>>;

/** An event on its way to the receiver. */
export interface HookMessage {
  readonly requestId: string;
  readonly action: HookEvent | typeof hookTestEvent;
  /** app/stream, for the list in the console. */
  readonly stream: string;
  readonly fields: Extra;
}

/**
 * `opaque` is added when the event is sent. Empty fields are left out, as receivers of this interface expect. Events that may be sent
 * twice after a crash carry an id.
 */
export function hookMessage(
  action: HookMessage['action'],
  place: Partial<Place>,
  extra: Extra = {},
  requestId: string = randomUUID(),
): HookMessage {
  const { vhost = '', app = '', stream = '' } = place;
  const fields = { vhost, app, stream, ...extra };
  return {
    requestId,
    action,
    stream: stream === '' ? '' : `${app}/${stream}`,
    fields: Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, name === 'param' ? String(value).slice(0, paramCharacters) : value]),
    ),
  };
}

export function formatBody({ requestId, action, fields }: HookMessage, opaque: string): string {
  return JSON.stringify({ request_id: requestId, action, opaque, ...fields });
}
