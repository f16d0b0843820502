import type { ClientCounters } from '../../hub/clients/client-info.ts';
import type { AnswerNote, AskNote, EngineNote } from '../link/notes.ts';
import type { ClientReports } from './client-reports.ts';
import type { MirroredStream, MirroredStreams } from './mirrored-streams.ts';
import { type PublicationLink, RemotePublication } from './remote-publication.ts';

/** Client that came to this worker. */
export interface RemoteApplicant {
  readonly asks: Omit<AskNote, 'type' | 'client'>;
  /** Ends its connection. */
  readonly kick: (reason: string) => void;
  readonly isGone: () => boolean;
  /** Calls back when the peer has left, which ends its waiting. */
  readonly onGone: (then: () => void) => void;
  readonly facts: () => Readonly<Record<string, number>> | undefined;
}

interface Admitted {
  readonly entry: { readonly counters: ClientCounters };
  /** Called exactly once at the end. */
  leave(reason: string): void;
}

export interface RemotePublisher extends Admitted {
  /** Number of the client in messages to the engine. */
  readonly client: number;
  readonly publication: RemotePublication;
}

export interface RemoteViewer extends Admitted {
  readonly stream: MirroredStream;
}

interface Options {
  readonly link: PublicationLink & { tell(note: AskNote): void };
  readonly reports: ClientReports;
  readonly streams: MirroredStreams;
}

interface Waiting {
  readonly applicant: RemoteApplicant;
  readonly answer: PromiseWithResolvers<number | undefined>;
}

/** Admission of a worker's clients: asks the engine, and reports when they leave. */
export class RemoteAdmission {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  readonly #kicks = new Map<number, (reason: string) => void>();
  #last = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  async publish(applicant: RemoteApplicant): Promise<RemotePublisher> {
    const { client } = await this.#request(applicant);
    return {
      ...this.#enter(client, applicant),
      client,
      publication: new RemotePublication(client, this.#options.link),
    };
  }

  async play(applicant: RemoteApplicant): Promise<RemoteViewer> {
    const { client, feed } = await this.#request(applicant);
    const stream = feed === undefined ? undefined : this.#options.streams.get(feed);
    const admitted = this.#enter(client, applicant);
    if (stream) return { ...admitted, stream };
    admitted.leave('the stream has ended');
    throw new Error('the stream has ended');
  }

  /** True if the message was about a waiting or admitted client. */
  onNote(note: AnswerNote | EngineNote): boolean {
    switch (note.type) {
      case 'admitted':
        this.#admitted(note.client, note.feed);
        return true;
      case 'refused':
        this.#waiting.get(note.client)?.answer.reject(new Error(note.reason));
        return true;
      case 'end':
        this.#kicks.get(note.client)?.(note.reason);
        return true;
      default:
        return false;
    }
  }

  /** Synchronous, because the next message may end it. */
  #admitted(client: number, feed: number | undefined): void {
    const waiting = this.#waiting.get(client);
    if (!waiting) return;
    this.#waiting.delete(client);
    this.#kicks.set(client, waiting.applicant.kick);
    waiting.answer.resolve(feed);
  }

  async #request(applicant: RemoteApplicant): Promise<{ client: number; feed: number | undefined }> {
    const { link, reports } = this.#options;
    this.#last += 1;
    const client = this.#last;
    const answer = Promise.withResolvers<number | undefined>();
    this.#waiting.set(client, { applicant, answer });
    applicant.onGone(() => {
      if (!this.#waiting.delete(client)) return;
      reports.leave(client, 'closed by the peer');
      answer.reject(new Error('closed by the peer'));
    });
    link.tell({ type: 'ask', client, ...applicant.asks });
    try {
      return { client, feed: await answer.promise };
    } finally {
      this.#waiting.delete(client);
    }
  }

  #enter(client: number, { asks, isGone, facts }: RemoteApplicant): Admitted {
    const { reports } = this.#options;
    const leave = (reason: string) => {
      if (this.#kicks.delete(client)) reports.leave(client, reason);
    };
    const counters = reports.enter(client, facts, asks.kind.endsWith('-publish'));
    if (!isGone()) return { entry: { counters }, leave };
    leave('closed by the peer');
    throw new Error('closed by the peer');
  }
}
