import type { Socket } from 'node:net';
import { parse } from '../answers.fixture.ts';
import { dial, type Got } from '../front-door.fixture.ts';

export const callPath = '/terraform/v1/mgmt/x';

export function postText(body: string, lines: readonly string[] = [], path = callPath): string {
  const length = Buffer.byteLength(body, 'latin1');
  return [`POST ${path} HTTP/1.1`, 'Host: a', ...lines, `Content-Length: ${length}`, '', body].join('\r\n');
}

/** For tests: a connection that sends requests as they are and reads whole answers, one after the other. */
export class Caller {
  readonly socket: Socket;
  #text = '';
  #waiting: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.#text += chunk;
      this.#waiting?.();
    });
    socket.on('close', () => this.#waiting?.());
  }

  static async dial(port: number): Promise<Caller> {
    return new Caller(await dial(port));
  }

  async sendRequest(request: string): Promise<Got> {
    this.socket.write(request, 'latin1');
    return this.next();
  }

  /** The next answer; rejects when the connection is gone before it is whole. */
  async next(): Promise<Got> {
    for (;;) {
      const head = this.#text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#text.slice(0, head + 2))?.[1] ?? 0);
      const end = head + 4 + length;
      if (head >= 0 && this.#text.length >= end) {
        const got = parse(this.#text.slice(0, end));
        this.#text = this.#text.slice(end);
        return got;
      }
      if (this.socket.destroyed) throw new Error(`gone after ${this.#text.length} characters`);
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }
}

/** Node's server tells how long it keeps a connection; the fast path does not. */
export const isPlain = ({ headers }: Got): boolean => headers['keep-alive'] === undefined;
