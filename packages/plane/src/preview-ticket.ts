import { isTicket, writeTicket } from './ticket.ts';

/** Query parameter of a stream that carries a ticket. */
export const previewParameter = 'weir-preview';

interface Place {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

/**
 * Marks the player of a stream as the console's preview, which is no viewer. It grants nothing: the other checks of players still apply.
 * `key` is a secret of both planes.
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
