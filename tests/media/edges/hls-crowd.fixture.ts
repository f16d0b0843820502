import { setTimeout as sleep } from 'node:timers/promises';
import { Line } from './line.fixture.ts';

/** Observation of a playlist by one viewer. */
interface Sight {
  readonly atMs: number;
  /** The newest segment, or part, in it. */
  readonly last: string;
}

/** Players of HLS without a screen: as many connections, as many questions. */
export class HlsCrowd {
  readonly #over = new AbortController();
  readonly #lines: Line[] = [];
  readonly #viewers: Promise<void>[] = [];
  /** Entries of the origin's playlist in order, with the time of their first appearance. */
  readonly #origin = new Map<string, number>();
  readonly #sights: Sight[] = [];
  readonly failures: string[] = [];
  readonly waits: number[] = [];
  /** Pieces that each viewer has. */
  readonly pieces: number[] = [];

  /** Follows a media playlist at short intervals, as nobody else does. */
  watchOrigin(url: string, token: string): void {
    this.#spawn(url, async (line, path) => {
      const { status, text } = await line.get(path, `X-Weir-Edge: ${token}\r\n`);
      const last = newestIn(text);
      if (status === 200 && last !== undefined && !this.#origin.has(last)) this.#origin.set(last, Date.now());
      await sleep(50);
    });
  }

  /** Adds a viewer of ordinary HLS: its playlist every second, each segment once. */
  follow(url: string): void {
    const viewer = this.pieces.push(0) - 1;
    let had: string | undefined;
    this.#spawn(url, async (line, path) => {
      const { status, text } = await line.get(path);
      const newest = this.#see(status, text);
      if (newest !== undefined && newest !== had) {
        had = newest;
        await this.#fetch(line, new URL(newest, url).pathname, viewer);
      }
      await sleep(900 + Math.random() * 200);
    });
  }

  /** Adds a viewer of low-latency HLS: waits for each next part and loads it. */
  followLow(url: string): void {
    const viewer = this.pieces.push(0) - 1;
    let query = '';
    this.#spawn(url, async (line, path) => {
      const startMs = Date.now();
      const asked = query;
      query = '';
      const { status, text } = await line.get(`${path}${asked}`);
      const newest = this.#see(status, text);
      if (status !== 200) {
        await sleep(200);
        return;
      }
      if (asked !== '') this.waits.push(Date.now() - startMs);
      if (newest !== undefined) await this.#fetch(line, new URL(newest, url).pathname, viewer);
      const [, sequence, part] = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="[^"]*\.ll-(\d+)-(\d+)\.m4s"/.exec(text) ?? [];
      if (sequence !== undefined) query = `?_HLS_msn=${sequence}&_HLS_part=${part}`;
    });
  }

  /** New entries of the origin's playlists. */
  get news(): number {
    return this.#origin.size;
  }

  get sights(): number {
    return this.#sights.length;
  }

  /** Worst age in ms of an available piece that a playlist did not list yet. */
  worstAgeMs(): number {
    const names = [...this.#origin.keys()];
    const next = new Map(names.map((name, index) => [name, this.#origin.get(names[index + 1] ?? '')]));
    return this.#sights.reduce((worst, { atMs, last }) => Math.max(worst, atMs - (next.get(last) ?? atMs)), 0);
  }

  async close(): Promise<void> {
    this.#over.abort();
    for (const line of this.#lines) line.close();
    await Promise.all(this.#viewers);
  }

  #see(status: number, text: string): string | undefined {
    const last = status === 200 ? newestIn(text) : undefined;
    if (status !== 200) this.failures.push(`playlist ${status}`);
    else if (last !== undefined) this.#sights.push({ atMs: Date.now(), last });
    return last;
  }

  async #fetch(line: Line, path: string, viewer: number): Promise<void> {
    const { status, bytes } = await line.get(path);
    if (status === 200 && bytes > 0) this.pieces[viewer] = (this.pieces[viewer] ?? 0) + 1;
    else this.failures.push(`piece ${status}`);
  }

  #spawn(url: string, step: (line: Line, path: string) => Promise<void>): void {
    const line = new Line(url);
    const { pathname } = new URL(url);
    this.#lines.push(line);
    const run = async () => {
      while (!this.#over.signal.aborted) {
        await step(line, pathname).catch((error: Error) => {
          if (this.#over.signal.aborted) return undefined;
          this.failures.push(error.message);
          return sleep(200);
        });
      }
    };
    this.#viewers.push(run());
  }
}

/** The last part of a low-latency playlist, of another the last segment. */
function newestIn(playlist: string): string | undefined {
  const part = playlist.lastIndexOf('#EXT-X-PART:');
  if (part !== -1) return /URI="([^"]+)"/.exec(playlist.slice(part))?.[1];
  const lines = playlist.trimEnd().split('\n');
  const last = lines.findLast((line) => line !== '' && !line.startsWith('#'));
  return last?.endsWith('.ts') ? last : undefined;
}
