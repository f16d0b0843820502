import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import type { NativeSend } from '../../delivery/native-send.ts';
import { descriptorOf } from '../../delivery/shared-bytes.ts';
import type { Viewer } from './viewer.ts';

/** Close enough for seconds, far enough apart to be free. */
const stepMs = 200;
/** Half a minute: a viewer that stays further behind is dropped before. */
const size = 150;

/** When how much of a stream had gone out, so that the age of an unsent byte is known by its place. */
export class SendTimes {
  readonly #totals = new Float64Array(size);
  readonly #times = new Float64Array(size);
  #marks = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `total`: bytes that went out before now. */
  mark(total: number, nowMs: number): void {
    if (nowMs - this.#lastMs < stepMs) return;
    this.#lastMs = nowMs;
    this.#totals[this.#marks % size] = total;
    this.#times[this.#marks % size] = nowMs;
    this.#marks += 1;
  }

  /** Age of the byte at this position, as far back as known. */
  ageOf(place: number, nowMs: number): number {
    const oldest = Math.max(0, this.#marks - size);
    if (this.#marks === 0) return 0;
    let [low, high] = [oldest, this.#marks - 1];
    // The last mark before the byte.
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#totals[middle % size] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, nowMs - (this.#times[low % size] ?? nowMs));
  }
}

const files = ['/proc/net/tcp', '/proc/net/tcp6'];
/** Matches an established connection with a non-empty queue: own port, other end, bytes in hexadecimal. */
const busyLine = /: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) 01 (?!00000000)([0-9A-F]{8}):/g;
const everyMs = 1000;
/** With many connections the list is long: reading it takes at most this part of the time. */
const share = 0.02;

/**
 * Bytes that the system holds of what was written to sockets: sent and not confirmed, or not yet sent. Node tells of its own buffer only,
 * and a slow line has seconds of a small stream in the system's. Linux lists them, with every other connection of the machine; elsewhere nothing
 * is known. For connections that the system cannot be asked about one by one.
 */
export class KernelQueues {
  #queues: ReadonlyMap<string, number> = new Map();
  #nextMs = 0;
  #isReading = false;
  #isUnknown = false;

  /** Queued bytes at the last reading, at most a second or two ago. */
  bytesOf(socket: Socket): number {
    this.#refresh();
    if (this.#queues.size === 0) return 0;
    const { localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
    return this.#queues.get(`${hexPort(localPort)} ${hexAddress(remoteAddress)}:${hexPort(remotePort)}`) ?? 0;
  }

  #refresh(): void {
    if (this.#isReading || this.#isUnknown || performance.now() < this.#nextMs) return;
    this.#isReading = true;
    const startMs = performance.now();
    Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))
      .then((texts) => {
        this.#isUnknown = texts.every((text) => text === '');
        this.#queues = readQueues(texts.join(''));
      })
      .finally(() => {
        this.#isReading = false;
        const endMs = performance.now();
        this.#nextMs = endMs + Math.max(everyMs, (endMs - startMs) / share);
      });
  }
}

/** By own port and other end, as the lists write them. */
export function readQueues(text: string): Map<string, number> {
  const queues = new Map<string, number>();
  for (const [, port, peer = '', bytes = '0'] of text.matchAll(busyLine)) {
    queues.set(`${port} ${peer.replace(mapped, '')}`, Number.parseInt(bytes, 16));
  }
  return queues;
}

/** Prefix of an IPv4 address in the IPv6 list. */
const mapped = /^0{16}FFFF0000(?=[0-9A-F]{8}:)/;

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** In words of four bytes, the lowest first, as processors here have them. */
function hexAddress(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const bytes = isIPv4(plain) ? plain.split('.').map(Number) : bytesOfIPv6(plain);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    for (let index = 3; index >= 0; index -= 1) text += (bytes[at + index] ?? 0).toString(16).padStart(2, '0');
  }
  return text.toUpperCase();
}

function bytesOfIPv6(address: string): number[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const words = (part: string | undefined) => (part ? part.split(':').map((word) => Number.parseInt(word, 16)) : []);
  const [before, after] = [words(head), words(tail)];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...new Array<number>(missing).fill(0), ...after].flatMap((word) => [word >> 8, word & 255]);
}

const queues = new KernelQueues();

/** Lag of the viewers of one fan-out: the age of the oldest unsent byte. */
export class ViewerLag {
  readonly #calls: () => NativeSend | undefined;
  readonly #times = new SendTimes();
  #total = 0;

  constructor(calls: () => NativeSend | undefined) {
    this.#calls = calls;
  }

  /** Bytes given to every viewer so far. */
  get total(): number {
    return this.#total;
  }

  /** Once for all viewers, whenever something goes out. */
  add(bytes: number, nowMs: number): void {
    this.#times.mark(this.#total, nowMs);
    this.#total += bytes;
  }

  of({ socket, queue, givenUntil = this.#total }: Viewer): number {
    const waiting = queue.waiting + (this.#unconfirmed(socket) ?? queues.bytesOf(socket));
    return waiting === 0 ? 0 : this.#times.ageOf(givenUntil - waiting, performance.now());
  }

  /** A call costs less than a microsecond; the list of thousands of connections takes milliseconds, in every process that reads it. */
  #unconfirmed(socket: Socket): number | undefined {
    const descriptor = descriptorOf(socket);
    return descriptor === undefined ? undefined : this.#calls()?.unconfirmed(descriptor);
  }
}
