import { setTimeout as sleep } from 'node:timers/promises';
import koffi from 'koffi';
import { writeSocketAddress } from './libsrt/srt-address.ts';
import { controlBytes, loadSrtLibrary, type SrtLibrary, srtOption } from './libsrt/srt-library.ts';

/** States of `SRT_SOCKSTATUS`. */
const connecting = 4;
const connected = 5;
/** An option that only senders have. */
const sndDropDelay = 32;
const longestMessage = 1456;

/** The calling side of SRT, which the server does not need: dials, sends, receives, and sees why it was refused. */
export class TestCaller {
  readonly #library: SrtLibrary;
  readonly #functions: ReturnType<typeof callingFunctions>;
  readonly #socket: number;

  private constructor(library: SrtLibrary, functions: ReturnType<typeof callingFunctions>, socket: number) {
    this.#library = library;
    this.#functions = functions;
    this.#socket = socket;
  }

  /** Resolves when it is connected or refused. `isTimed`: what it sends has timestamps, and is given up when it is late. */
  static async dial(
    port: number,
    streamId: string,
    { passphrase = '', isTimed = true }: { passphrase?: string | undefined; isTimed?: boolean } = {},
  ): Promise<TestCaller> {
    const library = await loadSrtLibrary('');
    const functions = callingFunctions();
    const socket = library.createSocket();
    library.setOption(socket, srtOption.sndSyn, false);
    library.setOption(socket, srtOption.rcvSyn, false);
    // Longer than usual: tests share a machine.
    library.setOption(socket, srtOption.connTimeo, 60_000);
    library.setOption(socket, srtOption.streamId, streamId);
    if (!isTimed) {
      library.setOption(socket, srtOption.tsbpdMode, false);
      library.setOption(socket, sndDropDelay, -1);
    }
    if (passphrase !== '') library.setOption(socket, srtOption.passphrase, passphrase);
    const address = writeSocketAddress('127.0.0.1', port);
    functions.connect(socket, address, address.length);
    while (functions.state(socket) === connecting) await sleep(5);
    return new TestCaller(library, functions, socket);
  }

  get isConnected(): boolean {
    return this.#functions.state(this.#socket) === connected;
  }

  /** SRT's reason of a refusal: below 1000 its own, above 1000 plus an HTTP status. */
  get rejectReason(): number {
    return this.#functions.rejectReason(this.#socket);
  }

  /** Sends without ordering, as some programs do. False when the buffer is full. */
  sendUnordered(message: Buffer): boolean {
    return this.#functions.send(this.#socket, message, message.length, -1, 0) > 0;
  }

  /** The next message; empty when there is none now, or no connection any more. */
  receive(): Buffer {
    const message = Buffer.alloc(longestMessage);
    const bytes = this.#library.receive(this.#socket, message, Buffer.alloc(controlBytes));
    return message.subarray(0, Math.max(0, bytes));
  }

  close(): Promise<void> {
    return this.#library.close(this.#socket);
  }
}

function callingFunctions() {
  const shared = koffi.load('libsrt-gnutls.so.1.5');
  return {
    connect: shared.func('int srt_connect(int u, const void *address, int n)'),
    state: shared.func('int srt_getsockstate(int u)'),
    rejectReason: shared.func('int srt_getrejectreason(int u)'),
    send: shared.func('int srt_sendmsg(int u, const void *message, int n, int ttl, int inOrder)'),
  };
}
