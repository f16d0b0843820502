import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
};
type FrameType = keyof typeof types;

export const endStream = 1;
export const endHeaders = 4;
/** The name that the connection itself has among streams. */
export const whole = 0;

/** One frame (RFC 9113, 4.1). */
export function frame(type: FrameType, stream: number, payload: Buffer = Buffer.alloc(0), flags = 0): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(types[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A field that is not compressed and enters no table (RFC 7541, 6.2.2). Shorter than 127 bytes each. */
export function field(name: string, value: string): Buffer {
  const text = (part: string) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]);
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/** The fields of a GET request. */
export function getFields(path: string): Buffer {
  const pseudo = { ':method': 'GET', ':scheme': 'https', ':authority': '127.0.0.1', ':path': path };
  return Buffer.concat(Object.entries(pseudo).map(([name, value]) => field(name, value)));
}

export function getFrame(stream: number, path: string): Buffer {
  return frame('headers', stream, getFields(path), endHeaders | endStream);
}

/** A client that writes frames as it likes, and knows why its connection ended. */
export class RawHttp2 {
  readonly socket: TLSSocket;
  /** Code of the last GOAWAY frame. */
  goaway: number | undefined;
  /** Codes of RST_STREAM frames. */
  readonly resets: number[] = [];
  /** Bytes of DATA frames. */
  dataBytes = 0;
  #unread = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk)).on('error', () => undefined);
  }

  /** `settings`: pairs of identifier and value. */
  static async connect(port: number, settings: readonly [number, number][] = [], localAddress = '127.0.0.1') {
    const options = { port, host: '127.0.0.1', localAddress, rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    const socket = connect(options);
    const client = new RawHttp2(socket);
    await once(socket, 'secureConnect');
    const payload = settings.map(([id, value]) => Buffer.from([0, id, ...number32(value)]));
    client.send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame('settings', whole, Buffer.concat(payload)));
    return client;
  }

  send(...frames: Buffer[]): boolean {
    return this.socket.write(Buffer.concat(frames));
  }

  /** Writes more and more until the server ends the connection or so many bytes have gone. Returns how many did. */
  async flood(next: () => Buffer, mostBytes: number): Promise<number> {
    let sent = 0;
    while (sent < mostBytes && this.goaway === undefined && !this.socket.destroyed) {
      const bytes = next();
      const isTaken = this.socket.write(bytes);
      sent += bytes.length;
      if (!isTaken) await Promise.race([once(this.socket, 'drain'), once(this.socket, 'close')]).catch(() => undefined);
      else await new Promise((resolve) => setImmediate(resolve));
    }
    return sent;
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    while (this.#unread.length >= 9) {
      const length = this.#unread.readUIntBE(0, 3);
      if (this.#unread.length < 9 + length) return;
      const type = this.#unread[3];
      if (type === types.goaway) this.goaway = this.#unread.readUInt32BE(13);
      else if (type === types.reset) this.resets.push(this.#unread.readUInt32BE(9));
      else if (type === types.data) this.dataBytes += length;
      this.#unread = this.#unread.subarray(9 + length);
    }
  }
}
