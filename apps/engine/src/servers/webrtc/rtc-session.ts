import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Clients } from '../../hub/clients/clients.ts';

/** Engine side of a WebRTC session, whose packets are in a worker. */
export class RtcSession {
  readonly id = Clients.newId();
  /** Token that permits ending the session. */
  readonly token = randomBytes(16).toString('hex');
  readonly client: number;
  readonly iceUfrag: string;
  /** Resolves when nothing is left of it. */
  readonly ended: Promise<void>;
  readonly #onClose: (reason: string) => void;
  readonly #ended = Promise.withResolvers<void>();
  #isClosed = false;
  /** Sets the quality of a viewer; absent for publishers, and before it is admitted. */
  onQuality: ((name: string | undefined) => void) | undefined;

  constructor(client: number, iceUfrag: string, onClose: (reason: string) => void) {
    this.client = client;
    this.iceUfrag = iceUfrag;
    this.#onClose = onClose;
    this.ended = this.#ended.promise;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  isOwnedBy(token: string): boolean {
    const [given, own] = [Buffer.from(token), Buffer.from(this.token)];
    return given.length === own.length && timingSafeEqual(given, own);
  }

  /** Asks for its end. */
  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose(reason);
  }

  /** Marks the session as ended. */
  end(): void {
    this.#isClosed = true;
    this.#ended.resolve();
  }
}
