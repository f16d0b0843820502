import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Demuxed, flvKind, flvTimestamp, writeFlvBody, writeFlvConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { RtmpClientSession } from '@weir/media/rtmp-client';
import { until } from '../weir.fixture.ts';

/** Has ffmpeg make a recording, and takes it apart in the order of its times. */
export function record(...args: readonly string[]): Demuxed[] {
  const container = ['-pes_payload_size', '0', '-f', 'mpegts', 'pipe:1'];
  const bytes = execFileSync('ffmpeg', ['-v', 'error', ...args, ...container], { maxBuffer: 256 * 1024 * 1024 });
  const demuxer = new MpegTsDemuxer();
  const items = [...demuxer.push(bytes), ...demuxer.flush()];
  const timeOf = (item: Demuxed) => (item.type === 'frame' ? item.frame.dtsMs : Number.NEGATIVE_INFINITY);
  return items.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
}

/** Publishes a recording by enhanced RTMP, in real time: what Debian's ffmpeg cannot send by RTMP itself. */
export class Replay {
  readonly #socket: Socket;
  readonly #client: RtmpClientSession;
  #hasStarted = false;
  #isStopped = false;
  #sending: Promise<void> = Promise.resolve();

  private constructor(socket: Socket, client: RtmpClientSession) {
    this.#socket = socket;
    this.#client = client;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const { type } of client.push(chunk)) if (type === 'started') this.#hasStarted = true;
      this.#flush();
    });
    this.#flush();
  }

  static async start(port: number, name: string, items: readonly Demuxed[]): Promise<Replay> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const tcUrl = `rtmp://127.0.0.1:${port}/live`;
    const replay = new Replay(socket, new RtmpClientSession({ mode: 'publish', app: 'live', tcUrl, name }));
    await until(() => replay.#hasStarted, 'publishing');
    replay.#sending = replay.#send(items);
    return replay;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#sending;
    this.#socket.destroy();
  }

  async #send(items: readonly Demuxed[]): Promise<void> {
    const beganAt = performance.now();
    let firstMs: number | undefined;
    for (const item of items) {
      if (item.type === 'metadata') continue;
      if (item.type === 'config') {
        this.#client.sendMedia(flvKind[item.config.kind], 0, writeFlvConfig(item.config));
        continue;
      }
      const { frame } = item;
      firstMs ??= frame.dtsMs;
      const dueMs = frame.dtsMs - firstMs;
      await until(() => this.#isStopped || performance.now() - beganAt >= dueMs, 'its time', 30_000);
      if (this.#isStopped) return;
      this.#client.sendMedia(flvKind[frame.kind], flvTimestamp(frame), writeFlvBody(frame));
      this.#flush();
    }
  }

  #flush(): void {
    const bytes = this.#client.takeOutput();
    if (bytes && !this.#socket.destroyed) this.#socket.write(bytes);
  }
}
