import type { OrderFault } from '@weir/contract';

/** Failed certificate order: its cause, and the authority's message. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  readonly fault: OrderFault;

  constructor(fault: OrderFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Types of problems an authority names (RFC 8555, 6.7), by what a person can do about them. */
const faults: Readonly<Record<string, OrderFault>> = {
  dns: 'dns',
  connection: 'connection',
  tls: 'connection',
  unauthorized: 'elsewhere',
  incorrectResponse: 'elsewhere',
  rateLimited: 'rate-limited',
  caa: 'caa',
  rejectedIdentifier: 'rejected',
  unsupportedIdentifier: 'rejected',
  serverInternal: 'authority',
};

const prefix = 'urn:ietf:params:acme:error:';

export interface Problem {
  readonly fault: OrderFault;
  readonly detail: string;
}

/** The problem an answer of the authority tells about: of the request itself, or of the challenge it is about. */
export function parseProblem(answer: unknown): Problem | undefined {
  for (const document of [fieldOf(answer, 'error'), answer]) {
    const [type, detail] = [fieldOf(document, 'type'), fieldOf(document, 'detail')];
    if (typeof type !== 'string' || !type.startsWith(prefix)) continue;
    return { fault: faults[type.slice(prefix.length)] ?? 'other', detail: typeof detail === 'string' ? detail : '' };
  }
  return undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
