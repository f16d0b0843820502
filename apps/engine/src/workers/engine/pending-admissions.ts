import { errorMessage } from '@weir/plane/error-message';
import type { Admission, Applicant } from '../../hub/clients/admission.ts';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import { Clients } from '../../hub/clients/clients.ts';
import type { AnswerNote, AskNote } from '../link/notes.ts';
import type { WorkerClients } from './worker-clients.ts';

interface Pending {
  isGone: boolean;
  onGone: (() => void) | undefined;
}

interface Options {
  readonly admission: Pick<Admission, 'publish' | 'play'>;
  readonly clients: WorkerClients;
  readonly tell: (note: AnswerNote) => void;
}

/** Clients of a worker that wait for the control plane's decision. */
export class PendingAdmissions {
  readonly #options: Options;
  readonly #pending = new Map<number, Pending>();

  constructor(options: Options) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  async ask({ client, kind, address, place, param, replaces }: AskNote): Promise<void> {
    const { admission, clients, tell } = this.#options;
    const pending: Pending = { isGone: false, onGone: undefined };
    this.#pending.set(client, pending);
    const info: ClientInfo = {
      id: Clients.newId(),
      kind,
      address,
      place,
      param,
      tcUrl: '',
      pageUrl: '',
      connectedAt: new Date(),
    };
    const applicant: Applicant = {
      info,
      kick: (reason) => clients.kick(client, reason),
      isGone: () => pending.isGone,
      onGone: (then) => {
        pending.onGone = then;
      },
      replaces: clients.publisherAt(replaces),
      transport: (isGlance) => clients.factsOf(client, isGlance),
    };
    try {
      const feed = await this.#admit(client, applicant, admission, clients);
      tell({ type: 'admitted', client, feed });
    } catch (error) {
      // Numbers of closed clients are reused.
      const reason = errorMessage(error);
      if (!pending.isGone) tell({ type: 'refused', client, reason });
    } finally {
      if (!pending.isGone) this.#pending.delete(client);
    }
  }

  /** Handles a client that left before the answer. */
  left(client: number): void {
    const pending = this.#pending.get(client);
    if (!pending) return;
    this.#pending.delete(client);
    pending.isGone = true;
    pending.onGone?.();
  }

  lose(): void {
    for (const client of [...this.#pending.keys()]) this.left(client);
  }

  /** The client may have ended since its admission; its end must still be reported. */
  async #admit(
    client: number,
    applicant: Applicant,
    admission: Options['admission'],
    clients: WorkerClients,
  ): Promise<number | undefined> {
    if (applicant.info.kind.endsWith('-publish')) {
      const admitted = await admission.publish(applicant);
      if (applicant.isGone()) return orLeave(admitted.leave);
      clients.publish(client, admitted);
      return undefined;
    }
    const admitted = await admission.play(applicant);
    if (applicant.isGone()) return orLeave(admitted.leave);
    try {
      return clients.play(client, admitted);
    } catch (error) {
      admitted.leave();
      throw error;
    }
  }
}

function orLeave(leave: (reason: string) => void): never {
  leave('closed by the peer');
  throw new Error('closed by the peer');
}
