import { type ChildProcess, spawn } from 'node:child_process';

/** A side of the small pictures that are counted. */
const side = 16;
const frameBytes = (side * side * 3) / 2;

/** ffmpeg as a player without a buffer of its own: when does it have which frame decoded? */
export class DecodedFrames {
  readonly #process: ChildProcess;
  readonly #times: number[] = [];
  #bytes = 0;

  constructor(url: string) {
    const input = ['-fflags', 'nobuffer', '-flags', 'low_delay', '-probesize', '200000', '-i', url];
    const output = ['-an', '-vf', `scale=${side}:${side}`, '-pix_fmt', 'yuv420p', '-fps_mode', 'passthrough'];
    const args = ['-v', 'error', ...input, ...output, '-f', 'rawvideo', '-flush_packets', '1', 'pipe:1'];
    this.#process = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process.stdout?.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      for (; this.#bytes >= frameBytes; this.#bytes -= frameBytes) this.#times.push(performance.now());
    });
  }

  get frames(): number {
    return this.#times.length;
  }

  /** The same figures as of a player in a browser (`viewer-probe.fixture.ts`). */
  report(sinceMs: number): { frames: number; freezes: number; frozenMs: number; longestGapMs: number } {
    const times = [sinceMs, ...this.#times.filter((atMs) => atMs >= sinceMs), performance.now()];
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    const mean = gaps.reduce((sum, ms) => sum + ms, 0) / gaps.length;
    const long = gaps.filter((ms) => ms > Math.max(3 * mean, mean + 150));
    return {
      frames: times.length - 2,
      freezes: long.length,
      frozenMs: long.reduce((sum, ms) => sum + ms, 0),
      longestGapMs: Math.max(...gaps),
    };
  }

  stop(): void {
    this.#process.kill('SIGKILL');
  }
}
