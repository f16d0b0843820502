import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

type Heard = Record<string, unknown>;

/** The receiver's process, as this test steers it. */
export class CallbackReceiver {
  /** What arrived since it was last told how to answer, in order. */
  heard: Heard[] = [];
  /** Key of the signature it checks. */
  key = '';
  #process: ChildProcess | undefined;
  #port = 0;

  static async start(): Promise<CallbackReceiver> {
    const receiver = new CallbackReceiver();
    await receiver.#launch();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/callbacks`;
  }

  async say(manner: 'accept' | 'refuse' | 'hang'): Promise<void> {
    this.#process?.send({ manner, key: this.key });
    await this.#next('done');
    if (manner !== 'accept') this.heard = [];
  }

  /** On the port it had. */
  async restart(): Promise<void> {
    this.heard = [];
    await this.#launch();
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async #launch(): Promise<void> {
    const child = fork(join(import.meta.dirname, 'callback-receiver.mjs'), [String(this.#port), this.key]);
    this.#process = child;
    child.on('message', (message: Heard) => {
      if ('action' in message) this.heard.push(message);
    });
    this.#port = Number((await this.#next('port')).port);
  }

  #next(name: string): Promise<Heard> {
    return new Promise((resolve) => {
      const listen = (message: Heard) => {
        if (!(name in message)) return;
        this.#process?.off('message', listen);
        resolve(message);
      };
      this.#process?.on('message', listen);
    });
  }
}
