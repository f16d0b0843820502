import { OfferRejectedError } from '../../../components/player/webrtc/signaling.ts';
import { toErrorMessage } from '../../../lib/errors/error-message.ts';

type PublishFailureKind =
  | 'insecure'
  | 'denied'
  | 'no-device'
  | 'device-busy'
  | 'no-source'
  | 'capture'
  | 'unauthorised'
  | 'in-use'
  | 'refused'
  | 'busy'
  | 'peer'
  | 'network';

export interface PublishFailure {
  readonly kind: PublishFailureKind;
  readonly detail?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export class PublishError extends Error {
  readonly failure: PublishFailure;

  constructor(failure: PublishFailure) {
    super(failure.detail ?? failure.kind);
    this.failure = failure;
  }
}

/** Worth a reconnect while live: the server restarts or the network is briefly gone. */
export function isTransientPublishFailure({ kind }: PublishFailure): boolean {
  return kind === 'network' || kind === 'busy' || kind === 'peer';
}

/** W3C Media Capture and Streams, 10.2: the names under which `getUserMedia` fails. */
export function toCaptureFailure(error: unknown): PublishFailure {
  if (error instanceof PublishError) return error.failure;
  const name = error instanceof Error ? error.name : '';
  const detail = toErrorMessage(error);
  if (name === 'NotAllowedError' || name === 'SecurityError') return { kind: 'denied' };
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return { kind: 'no-device' };
  if (name === 'NotReadableError' || name === 'AbortError') return { kind: 'device-busy', detail };
  return { kind: 'capture', detail };
}

export function toSignalingFailure(error: unknown): PublishFailure {
  if (error instanceof PublishError) return error.failure;
  if (!(error instanceof OfferRejectedError)) {
    return { kind: 'network', detail: toErrorMessage(error) };
  }
  const { status, message: detail, retryAfterSeconds } = error;
  if (status === 401 || status === 403) return { kind: 'unauthorised', detail };
  if (status === 409) return { kind: 'in-use', detail };
  if (status === 429 || status >= 500) return { kind: 'busy', detail, retryAfterSeconds };
  return { kind: 'refused', detail };
}
