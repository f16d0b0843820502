import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { address, publishSecret, until } from './server.ts';

const encoder = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-g',
  '25',
  '-b:v',
  '1M',
  '-c:a',
  'aac',
];

/** A stream with an encoder and a viewer that connect again at once, as OBS and player pages do. */
export class LiveStream {
  readonly #publisher: ChildProcess;
  readonly #url: string;
  #isOver = false;
  #lastMs = 0;
  #gapMs = 0;
  #bytes = 0;

  private constructor(publisher: ChildProcess, url: string) {
    this.#publisher = publisher;
    this.#url = url;
  }

  static async start(name: string): Promise<LiveStream> {
    const target = `${address.rtmp}/live/${name}?secret=${await publishSecret()}`;
    const input = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-re', '-f', 'lavfi', '-i', 'sine'];
    // Connects again by itself, with the same clock.
    const again = ['-f', 'fifo', '-fifo_format', 'flv', '-attempt_recovery', '1', '-recover_any_error', '1'];
    const soon = ['-recovery_wait_time', '0.1', '-drop_pkts_on_overflow', '1', '-restart_with_keyframe', '1'];
    const args = ['-v', 'error', ...input, ...encoder, '-map', '0:v', '-map', '1:a', ...again, ...soon, target];
    const publisher = spawn('ffmpeg', args, { stdio: 'ignore' });
    const stream = new LiveStream(publisher, `${address.http}/live/${name}.flv`);
    void stream.#watch();
    await until('the stream plays', async () => stream.#bytes > 300_000);
    stream.#gapMs = 0;
    return stream;
  }

  /** Longest time without media since the last call. */
  takeGap(): number {
    const gapMs = Math.max(this.#gapMs, performance.now() - this.#lastMs);
    this.#gapMs = 0;
    return gapMs;
  }

  /** Resolves when media has come for two seconds without a pause. */
  async settled(): Promise<void> {
    const before = this.#bytes;
    await until(
      'media comes again',
      async () => this.#bytes > before + 250_000 && performance.now() - this.#lastMs < 500,
    );
  }

  stop(): void {
    this.#isOver = true;
    this.#publisher.kill('SIGKILL');
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      try {
        const answer = await fetch(this.#url);
        for await (const chunk of answer.body ?? []) {
          // Headers of an empty stream are no media.
          if (chunk.length < 200) continue;
          const nowMs = performance.now();
          if (this.#lastMs > 0) this.#gapMs = Math.max(this.#gapMs, nowMs - this.#lastMs);
          this.#lastMs = nowMs;
          this.#bytes += chunk.length;
          if (this.#isOver) return;
        }
      } catch {
        // Away for a moment.
      }
      await sleep(50);
    }
  }
}
