import { isTicket, writeTicket } from './ticket.ts';

/** Query parameter of a stream that carries a ticket. */
export const previewParameter = 'weir-preview';

interface Place {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

/**
 * Says that whoever plays this stream looks at it from the console, and is no viewer. It opens nothing: a player with a ticket is
 * asked for whatever others are asked for. `key` is what both planes share and nobody else knows.
 */
export function previewTicket(key: string, place: Place, expiresAtMs: number): string {
  return writeTicket(key, factsOf(place), expiresAtMs);
}

export function isPreviewTicket(ticket: string, key: string, place: Place, nowMs: number): boolean {
  return isTicket(ticket, key, factsOf(place), nowMs);
}

function factsOf({ vhost, app, stream }: Place): string[] {
  return ['preview', vhost, app, stream];
}
