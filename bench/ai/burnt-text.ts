import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** When text stands in pictures, found by what sets them apart from those without it. Both have the times of the stream. */
export class BurntText {
  readonly #base: string;
  readonly #known = new Set<string>();
  readonly #directory = mkdtempSync(join(tmpdir(), 'weir-bench-burnt-'));

  /** `base`: the address that the outputs of transcripts have in common. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Takes the segments that there are now. */
  async check(uuid: string): Promise<void> {
    const [burnt, plain] = await Promise.all(['overlay', 'original'].map((kind) => this.#segments(kind, uuid)));
    for (const [at, uri] of (burnt ?? []).entries()) {
      const twin = plain?.[at];
      if (this.#known.has(uri) || !twin || plain?.length !== burnt?.length) continue;
      const pair = await Promise.all([uri, twin].map((one) => this.#bytes(one)));
      if (pair.some((bytes) => bytes.length === 0)) continue;
      this.#known.add(uri);
      for (const [n, bytes] of pair.entries()) appendFileSync(this.#file(n), bytes);
    }
  }

  /** In seconds of the stream. */
  spans(): Span[] {
    if (this.#known.size === 0) return [];
    const inputs = [0, 1].flatMap((n) => ['-copyts', '-i', this.#file(n)]);
    const print = 'metadata=print:key=lavfi.signalstats.YAVG:file=-';
    const filter = `[0:v][1:v]blend=all_mode=difference,crop=iw:ih/3:0:ih*2/3,signalstats,${print}`;
    const said = execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-filter_complex', filter, '-f', 'null', '-'], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const frames = [...said.matchAll(/pts_time:([\d.]+)\s+\S*YAVG=([\d.]+)/g)].map(([, at, level]) => ({
      at: Number(at),
      level: Number(level),
    }));
    const levels = frames.map(({ level }) => level);
    // Encoding changes pictures too, but by far less than letters do.
    const least = (Math.min(...levels) + Math.max(...levels)) / 3;
    const spans: Span[] = [];
    for (const [n, { at, level }] of frames.entries()) {
      if (level < least) continue;
      const end = frames[n + 1]?.at ?? at;
      const isContinued = n > 0 && (frames[n - 1]?.level ?? 0) >= least;
      spans.push({ start: isContinued ? (spans.pop()?.start ?? at) : at, end });
    }
    return spans;
  }

  async #segments(kind: string, uuid: string): Promise<string[]> {
    const answer = await fetch(`${this.#base}/${kind}/${uuid}.m3u8`);
    return answer.ok ? ((await answer.text()).match(/^[^#\s].*\.ts$/gm) ?? []) : [];
  }

  /** Empty for a segment that is gone. */
  async #bytes(uri: string): Promise<Buffer> {
    const answer = await fetch(new URL(uri, this.#base));
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.ok ? bytes : Buffer.alloc(0);
  }

  #file(n: number): string {
    return join(this.#directory, `${n}.ts`);
  }
}
