interface OpenPort {
  readonly protocol: string;
  readonly ready: boolean;
  readonly note: string;
}

type ProtocolObstacle = 'library' | 'filter' | 'port' | 'unsupported' | 'other';

/** Whether the server can do a protocol now, and why not. `unknown` while it does not say. */
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
  // An engine that is away has no listeners at all; that says nothing about what it will offer.
  if (listeners === undefined || listeners.length === 0) return { kind: 'unknown' };
  const own = listeners.filter((listener) => listener.protocol === protocol);
  if (own.some(({ ready }) => ready)) return { kind: 'ready' };
  return { kind: 'off', obstacle: obstacles[own[0]?.note ?? ''] ?? 'other' };
}
