import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';

const files = ['/proc/net/tcp', '/proc/net/tcp6'];
/** Matches an established connection with a non-empty queue: own port, other end, bytes in hexadecimal. */
const busyLine = /: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) 01 (?!00000000)([0-9A-F]{8}):/g;
const everyMs = 1000;
/** With many connections the list is long: reading it takes at most this part of the time. */
const share = 0.02;

/**
 * Bytes that the system holds of what was written to sockets: sent and not confirmed, or not yet sent. Node tells of its own buffer only,
 * and a slow line has seconds of a small stream in the system's. Linux lists them; elsewhere nothing is known.
 */
export class KernelQueues {
  #queues: ReadonlyMap<string, number> = new Map();
  #nextMs = 0;
  #isReading = false;
  #isUnknown = false;

  /** Queued bytes at the last reading, at most a second or two ago. */
  bytesOf(socket: Socket): number {
    this.#look();
    if (this.#queues.size === 0) return 0;
    const { localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
    return this.#queues.get(`${hexPort(localPort)} ${hexAddress(remoteAddress)}:${hexPort(remotePort)}`) ?? 0;
  }

  #look(): void {
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
