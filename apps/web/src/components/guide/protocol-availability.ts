interface OpenPort {
  readonly protocol: string;
  readonly ready: boolean;
  readonly note: string;
}

type ProtocolObstacle = 'library' | 'filter' | 'port' | 'unsupported' | 'other';

/** State of a protocol on this server; `unknown` until the server reports it. */
export type ProtocolAvailability =
  | { readonly kind: 'ready' | 'unknown' }
  | { readonly kind: 'off'; readonly obstacle: ProtocolObstacle };

const obstacles: Record<string, ProtocolObstacle> = {
  'no-library': 'library',
  'no-filter': 'filter',
  'port-taken': 'port',
  unsupported: 'unsupported',
};

export function checkProtocol(
  listeners: readonly OpenPort[] | undefined,
  protocol: 'srt' | 'rtc',
): ProtocolAvailability {
  // A stopped engine reports no listeners, which says nothing about its protocols.
  if (listeners === undefined || listeners.length === 0) return { kind: 'unknown' };
  const own = listeners.filter((listener) => listener.protocol === protocol);
  if (own.some(({ ready }) => ready)) return { kind: 'ready' };
  return { kind: 'off', obstacle: obstacles[own[0]?.note ?? ''] ?? 'other' };
}
