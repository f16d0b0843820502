import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { flvKind, writeFlvBody, writeFlvConfig } from '@weir/media';
import { RtmpClientSession } from '@weir/media/rtmp-client';
import { until } from '../weir.fixture.ts';

const record = readFileSync(join(import.meta.dirname, '../../packages/media/seeds/codecs/avcc.bin'));
const picturesPerSecond = 25;

interface Options {
  readonly port: number;
  readonly name: string;
  readonly kbps: number;
}

/** Publishes pictures of equal size in real time, at a bitrate that would cost an encoder a whole machine. */
export class SyntheticPublisher {
  sent = 0;
  hasEnded = false;
  readonly #socket: Socket;
  readonly #session: RtmpClientSession;
  readonly #body: Buffer;
  #timer: NodeJS.Timeout | undefined;
  #beganAtMs = 0;

  private constructor({ port, name, kbps }: Options) {
    this.#socket = connect(port, '127.0.0.1');
    this.#session = new RtmpClientSession({
      mode: 'publish',
      app: 'live',
      name,
      tcUrl: `rtmp://127.0.0.1:${port}/live`,
    });
    const payload = Buffer.alloc(Math.round((kbps * 1000) / 8 / picturesPerSecond), 0x41);
    payload.writeUInt32BE(payload.length - 4, 0);
    this.#body = payload;
    this.#socket.on('error', () => undefined);
    this.#socket.once('close', () => {
      this.hasEnded = true;
      clearTimeout(this.#timer);
    });
  }

  static async start(options: Options): Promise<SyntheticPublisher> {
    const publisher = new SyntheticPublisher(options);
    let hasStarted = false;
    publisher.#socket.on('data', (chunk: Buffer) => {
      for (const { type } of publisher.#session.push(chunk)) if (type === 'started') hasStarted = true;
      publisher.#flush();
    });
    publisher.#flush();
    await until(() => hasStarted, 'publishing');
    publisher.#begin();
    return publisher;
  }

  close(): void {
    this.#socket.destroy();
  }

  #begin(): void {
    const facts = { width: 96, height: 64, profile: '', level: '', fps: picturesPerSecond } as const;
    const config = writeFlvConfig({ kind: 'video', codec: 'h264', record, ...facts });
    this.#session.sendMedia(flvKind.video, 0, config);
    this.#beganAtMs = performance.now();
    this.#sendDue();
  }

  /** Everything that is due by the clock, and again when the next is. */
  #sendDue(): void {
    const stepMs = 1000 / picturesPerSecond;
    while (this.sent * stepMs <= performance.now() - this.#beganAtMs) {
      const isKeyframe = this.sent % picturesPerSecond === 0;
      const dtsMs = this.sent * stepMs;
      // The type of the NAL unit: a picture that stands alone, or one that builds on others.
      const payload = Buffer.from(this.#body);
      payload[4] = isKeyframe ? 0x65 : 0x41;
      const frame = { kind: 'video', codec: 'h264', dtsMs, ptsMs: dtsMs, isKeyframe, payload } as const;
      this.#session.sendMedia(flvKind.video, dtsMs, writeFlvBody(frame));
      this.sent += 1;
    }
    this.#flush();
    this.#timer = setTimeout(() => this.#sendDue(), stepMs / 2);
  }

  #flush(): void {
    const bytes = this.#session.takeOutput();
    if (bytes && !this.#socket.destroyed) this.#socket.write(bytes);
  }
}
