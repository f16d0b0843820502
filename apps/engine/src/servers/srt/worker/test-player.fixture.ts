import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFrame } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import koffi from 'koffi';
import { writeSocketAddress } from './libsrt/srt-address.ts';
import { controlBytes, loadSrtLibrary, type SrtLibrary, sequenceAt, srtOption } from './libsrt/srt-library.ts';

const connecting = 4;
const packetsPerMessage = 7;
const readEveryMs = 5;

interface Seen {
  readonly frame: MediaFrame;
  readonly atMs: number;
}

/** A player with libsrt's own defaults, as ffmpeg has them: gives up what is later than its latency. */
export class TestPlayer {
  /** Whole pictures, and when each came. */
  readonly frames: Seen[] = [];
  readonly #library: SrtLibrary;
  readonly #socket: number;
  readonly #demuxer = new MpegTsDemuxer();
  readonly #timer: NodeJS.Timeout;
  readonly #into = Buffer.alloc(1456);
  readonly #control = Buffer.alloc(controlBytes);
  #expected: number | undefined;

  private constructor(library: SrtLibrary, socket: number) {
    this.#library = library;
    this.#socket = socket;
    this.#timer = setInterval(() => this.#read(), readEveryMs);
  }

  static async dial(port: number, streamId: string): Promise<TestPlayer> {
    const library = await loadSrtLibrary('');
    const shared = koffi.load('libsrt-gnutls.so.1.5');
    const connect = shared.func('int srt_connect(int u, const void *address, int n)');
    const state = shared.func('int srt_getsockstate(int u)');
    const socket = library.createSocket();
    library.setOption(socket, srtOption.sndSyn, false);
    library.setOption(socket, srtOption.rcvSyn, false);
    library.setOption(socket, srtOption.connTimeo, 60_000);
    library.setOption(socket, srtOption.streamId, streamId);
    const address = writeSocketAddress('127.0.0.1', port);
    connect(socket, address, address.length);
    while (state(socket) === connecting) await sleep(5);
    return new TestPlayer(library, socket);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#library.close(this.#socket);
  }

  #read(): void {
    for (;;) {
      const bytes = this.#library.receive(this.#socket, this.#into, this.#control);
      if (bytes <= 0) return;
      const sequence = this.#control.readInt32LE(sequenceAt);
      const missing = this.#expected === undefined ? 0 : (sequence - this.#expected) & 0x7fff_ffff;
      this.#expected = sequence + 1;
      const items = [
        ...(missing > 0 ? this.#demuxer.lose(missing * packetsPerMessage) : []),
        ...this.#demuxer.push(this.#into.subarray(0, bytes)),
      ];
      for (const item of items)
        if (item.type === 'frame' && item.frame.kind === 'video')
          this.frames.push({ frame: item.frame, atMs: performance.now() });
    }
  }
}
