import type { ClientRequest } from 'node:http';
import type { Readable } from 'node:stream';

/** A body too large to hold: it is read while it is sent. */
export interface OutgoingUpload {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Known beforehand; the server is told, and less or more is an error. */
  readonly bytes: number;
  readonly open: () => Readable;
}

/** Aborts when nothing moved for a while. */
export class Silence {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(mostMs: number) {
    this.#timer = setTimeout(() => this.#abort.abort(), mostMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  broken(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Reads no faster than the connection takes it. A body that cannot be read, or is not as long as said, ends the request. */
export async function pour({ open, bytes }: OutgoingUpload, outgoing: ClientRequest, silence: Silence): Promise<void> {
  let sent = 0;
  try {
    for await (const chunk of open() as AsyncIterable<Buffer>) {
      if (outgoing.destroyed) return;
      silence.broken();
      sent += chunk.length;
      if (sent > bytes) throw new Error('the body is longer than it was');
      if (!outgoing.write(chunk)) await drained(outgoing);
    }
    if (sent < bytes) throw new Error('the body is shorter than it was');
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : undefined);
  }
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
