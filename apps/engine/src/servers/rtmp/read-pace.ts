import type { Socket } from 'node:net';

/** Reads a second over all publishers that cost little; what comes between two reads of a publisher waits in the kernel. */
const readsPerSecond = 3000;
const longestMs = 100;
/** Waiting less than this saves nothing. */
const shortestMs = 10;
/** A read this long may have left more behind: no time to wait. */
const fullReadBytes = 32 * 1024;
const tickMs = 10;

interface Resting {
  readonly handle: ReadHandle;
  readonly untilMs: number;
}

/** What Node keeps below a socket. `socket.pause()` would not do: it goes on reading into a buffer of its own. */
interface ReadHandle {
  readStop(): void;
  readStart(): void;
}

/**
 * How often publishers are read. An encoder writes each frame by itself, and a read costs more than the frame: with few
 * publishers each frame is taken as it comes, with hundreds several at once.
 */
export class ReadPace {
  readonly #publishers = new Set<Socket>();
  /** In the order they are due. */
  #resting: Resting[] = [];
  #timer: NodeJS.Timeout | undefined;

  get windowMs(): number {
    const ms = Math.min(longestMs, (this.#publishers.size * 1000) / readsPerSecond);
    return ms < shortestMs ? 0 : ms;
  }

  add(socket: Socket): void {
    this.#publishers.add(socket);
  }

  remove(socket: Socket): void {
    this.#publishers.delete(socket);
  }

  /** After each read of a publisher. */
  took(socket: Socket, bytes: number): void {
    const { windowMs } = this;
    if (windowMs === 0 || bytes >= fullReadBytes) return;
    const handle = handleOf(socket);
    if (!handle) return;
    handle.readStop();
    this.#resting.push({ handle, untilMs: performance.now() + windowMs });
    this.#timer ??= setTimeout(this.#onTick, tickMs);
  }

  readonly #onTick = (): void => {
    const nowMs = performance.now();
    let due = 0;
    for (const { handle, untilMs } of this.#resting) {
      // When publishers leave, windows shrink; whoever rests longer than the next one waits its time all the same.
      if (untilMs > nowMs) break;
      due += 1;
      handle.readStart();
    }
    this.#resting.splice(0, due);
    this.#timer = this.#resting.length > 0 ? setTimeout(this.#onTick, tickMs) : undefined;
  };
}

/** Undefined once the socket is closed, and in a Node that has no such thing: then every frame is read as it comes. */
function handleOf(socket: Socket): ReadHandle | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  return isReadHandle(handle) ? handle : undefined;
}

function isReadHandle(value: unknown): value is ReadHandle {
  return (
    typeof value === 'object' &&
    value !== null &&
    'readStop' in value &&
    'readStart' in value &&
    typeof value.readStop === 'function' &&
    typeof value.readStart === 'function'
  );
}
