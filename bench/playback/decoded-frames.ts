import { type ChildProcess, spawn } from 'node:child_process';

/** A side of the small pictures that are counted. */
const side = 16;
const frameBytes = (side * side * 3) / 2;

/** Buffer of a player that starts as soon as it can. */
const bufferMs = 300;
/** Pauses closer together are one freeze; shorter ones nobody sees. */
const mergeMs = 1000;
const leastFreezeMs = 150;

/** ffmpeg as a player: frames decoded, and what somebody would see who plays them 300 ms later at their own pace. */
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

  /** Freezes are the time by which frames come too late for their turn; what comes late makes everything behind it later. */
  report(
    sinceMs: number,
    frameMs: number,
  ): { frames: number; freezes: number; frozenMs: number; longestGapMs: number } {
    const times = [...this.#times.filter((atMs) => atMs >= sinceMs), performance.now()];
    const freezes: { ms: number; endMs: number }[] = [];
    let dueMs = (times[0] ?? sinceMs) + bufferMs;
    for (const atMs of times) {
      const lateMs = atMs - dueMs;
      if (lateMs > 0) {
        const last = freezes.at(-1);
        if (last && dueMs - last.endMs < mergeMs) {
          last.ms += lateMs;
          last.endMs = atMs;
        } else freezes.push({ ms: lateMs, endMs: atMs });
        dueMs = atMs;
      }
      dueMs += frameMs;
    }
    const seen = freezes.filter(({ ms }) => ms >= leastFreezeMs);
    return {
      frames: times.length - 1,
      freezes: seen.length,
      frozenMs: seen.reduce((sum, { ms }) => sum + ms, 0),
      longestGapMs: Math.max(frameMs, ...seen.map(({ ms }) => ms)),
    };
  }

  stop(): void {
    this.#process.kill('SIGKILL');
  }
}
