import type { Socket } from 'node:net';
import { standbyReadMs } from '../../hub/clients/clients.ts';

/** Reads a second over all publishers that cost little; what comes between two reads of a publisher waits in the kernel. */
const readsPerSecond = 2000;
const longestMs = 150;
/** Waiting less than this saves nothing. */
const shortestMs = 10;
/** Bytes that may wait in the kernel, far below its buffer size: a publisher must never be slowed down. */
const mostWaitingBytes = 24 * 1024;
/** Limit for publishers on standby: 10 Mbit/s. */
const mostRestingBytes = 64 * 1024;
/** Observation time before a publisher's rate counts. */
const sampleMs = 500;
const tickMs = 10;

/** Publisher's data rate. */
class Rate {
  #bytes = 0;
  #sinceMs = performance.now();
  /** Unknown ones are taken to be high. */
  bytesPerMs = Number.POSITIVE_INFINITY;

  count(bytes: number, nowMs: number): void {
    this.#bytes += bytes;
    if (nowMs - this.#sinceMs < sampleMs) return;
    this.bytesPerMs = this.#bytes / (nowMs - this.#sinceMs);
    this.#bytes = 0;
    this.#sinceMs = nowMs;
  }
}

interface Resting {
  readonly socket: Socket;
  readonly handle: ReadHandle;
  readonly untilMs: number;
}

/** Node's handle below a socket. `socket.pause()` would continue to read into a buffer. */
interface ReadHandle {
  readStop(): void;
  readStart(): void;
}

/**
 * Read interval of publishers. An encoder writes each frame separately, and a read costs more than the frame: with few
 * publishers each frame is read at once, with hundreds several together, and so are those of an input that is not on air.
 */
export class ReadPace {
  readonly #publishers = new Map<Socket, Rate>();
  /** Publishers on standby. */
  readonly #standbys = new Set<Socket>();
  #resting: Resting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = 0;

  get windowMs(): number {
    const ms = Math.min(longestMs, (this.#publishers.size * 1000) / readsPerSecond);
    return ms < shortestMs ? 0 : ms;
  }

  add(socket: Socket): void {
    this.#publishers.set(socket, new Rate());
  }

  remove(socket: Socket): void {
    this.#publishers.delete(socket);
    this.#standbys.delete(socket);
  }

  /** Puts a publisher on standby, or ends it. */
  setStandby(socket: Socket, isStandby: boolean): void {
    if (isStandby && this.#publishers.has(socket)) this.#standbys.add(socket);
    if (isStandby || !this.#standbys.delete(socket)) return;
    const found = this.#resting.find((one) => one.socket === socket);
    if (!found) return;
    this.#resting = this.#resting.filter((one) => one !== found);
    found.handle.readStart();
  }

  /** After each read of a publisher. */
  took(socket: Socket, bytes: number): void {
    const rate = this.#publishers.get(socket);
    const nowMs = performance.now();
    rate?.count(bytes, nowMs);
    const untilMs = rate ? this.#nextReadMs(socket, rate, nowMs) : nowMs;
    const handle = untilMs - nowMs < shortestMs ? undefined : handleOf(socket);
    if (!handle) return;
    handle.readStop();
    this.#resting.push({ socket, handle, untilMs });
    this.#arm(untilMs, nowMs);
  }

  #nextReadMs(socket: Socket, { bytesPerMs }: Rate, nowMs: number): number {
    const crowdedMs = nowMs + Math.min(this.windowMs, mostWaitingBytes / bytesPerMs);
    if (!this.#standbys.has(socket) || bytesPerMs * standbyReadMs > mostRestingBytes) return crowdedMs;
    // Aligns the reads of all publishers to the same times.
    return Math.max(crowdedMs, Math.ceil((nowMs + 1) / standbyReadMs) * standbyReadMs);
  }

  #arm(untilMs: number, nowMs: number): void {
    const atMs = Math.max(untilMs, nowMs + tickMs);
    if (this.#timer && this.#timerAtMs <= atMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(this.#onTick, atMs - nowMs);
  }

  readonly #onTick = (): void => {
    const nowMs = performance.now();
    const resting = this.#resting;
    this.#resting = resting.filter(({ untilMs }) => untilMs > nowMs);
    this.#timer = undefined;
    if (this.#resting.length > 0) this.#arm(Math.min(...this.#resting.map(({ untilMs }) => untilMs)), nowMs);
    for (const { handle, untilMs } of resting) if (untilMs <= nowMs) handle.readStart();
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
