import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Received {
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly signature: string;
}

/** A real receiver of callbacks on loopback. Says yes until told otherwise; closed when the test ends. */
export class Receiver {
  readonly received: Received[] = [];
  answer: (response: ServerResponse, got: Received) => void = (response) => response.end('{"code":0}');
  readonly #server = createServer(async (request, response) => {
    const body = await text(request);
    const got = { body: JSON.parse(body), text: body, signature: String(request.headers['x-weir-signature']) };
    this.received.push(got);
    this.answer(response, got);
  });
  #port = 0;

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.open();
    onTestFinished(() => receiver.close());
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/events`;
  }

  get actions(): unknown[] {
    return this.received.map(({ body }) => body.action);
  }

  /** On the port it had before. */
  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Verifies a signature as a receiver does: key, time and the exact bytes of the body. */
export function isSignedBy(secret: string, { text: body, signature }: Received): boolean {
  const [, seconds = '', digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const isFresh = Math.abs(Date.now() / 1000 - Number(seconds)) < 60;
  return isFresh && createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex') === digest;
}
