import type { NoThumbnailReason } from '@weir/contract';
import { pictureLimit } from '@weir/process/picture-limit';
import type { Clock } from '../core/clock.ts';
import { WeirError } from '../core/errors.ts';
import { Semaphore } from '../core/semaphore.ts';
import type { MediaServer } from './media-server.ts';

/** The longer side of a thumbnail, enough for a card on a dense screen. */
const longest = 480;

/** Converts one frame from standard input to a small JPEG on standard output. */
export function thumbnailArgs(): string[] {
  const size = `scale='min(${longest},iw)':'min(${longest},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;
  return [
    '-hide_banner',
    '-loglevel',
    'error',
    '-threads',
    '1',
    ...pictureLimit,
    '-protocol_whitelist',
    'pipe',
    '-f',
    'mov',
    '-i',
    'pipe:0',
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-an',
    '-vf',
    size,
    '-q:v',
    '6',
    '-threads',
    '1',
    '-c:v',
    'mjpeg',
    '-f',
    'image2pipe',
    'pipe:1',
  ];
}

/** A JPEG, or the reason why there is none. */
type Thumbnail = Buffer | { readonly reason: NoThumbnailReason };

/** Number of programs that run at once, and of requests that may wait for them. */
const bounds = { atOnce: 2, waiting: 100, refusal: 'too many thumbnails are being made, try again' };
/** Limits of a thumbnail's size and of their number: 16 MB at most, 2 MB as a rule, twice: current and last pictures. */
const mostBytes = 128 * 1024;
const mostKept = 128;
/** Lower priority than viewers and publishers. */
const niceness = 10;
/** Time limit. A busy machine is slow; on an idle one, only a hostile picture takes longer. */
const usualWithinMs = 30_000;

interface Context {
  readonly mediaServer: Pick<MediaServer, 'lacks'>;
  readonly clock: Clock;
  /** A picture is shown for this long before a new one is made. */
  readonly keptMs: number;
  /** Time limit for one picture. */
  readonly withinMs?: number;
}

/** Subject of a thumbnail. */
export interface Shown {
  readonly key: string;
  /** Id of the publisher, whose change invalidates the thumbnail. Undefined without one. */
  readonly publisher: () => Promise<string | undefined>;
  readonly keyframe: () => Promise<Buffer | undefined>;
}

interface Kept {
  readonly atMs: number;
  isMaking: boolean;
  readonly publisher: string;
  readonly made: Promise<Thumbnail>;
}

/** Thumbnails of live streams, made on demand from the last keyframe and cached for a few seconds. */
export class Thumbnails {
  readonly #context: Context;
  readonly #kept = new Map<string, Kept>();
  /** Last picture of each stream, also after its end. */
  readonly #last = new Map<string, Buffer>();
  readonly #programs = new Semaphore(bounds);

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns the current picture, or the last one if there is no current one. */
  async getLast(shown: Shown): Promise<Thumbnail> {
    const now = await this.get(shown);
    return Buffer.isBuffer(now) ? now : (this.#last.get(shown.key) ?? now);
  }

  async get(shown: Shown): Promise<Thumbnail> {
    const { mediaServer, clock, keptMs, withinMs = usualWithinMs } = this.#context;
    if (mediaServer.lacks.includes('thumbnails')) return { reason: 'unsupported' };
    const publisher = await shown.publisher();
    if (publisher === undefined) return { reason: 'not-live' };
    const { key } = shown;
    const nowMs = clock.elapsedMs();
    const kept = this.#kept.get(key);
    if (kept?.publisher === publisher && (kept.isMaking || nowMs - kept.atMs < keptMs)) return kept.made;
    const made = this.#programs.run(() => make(shown, withinMs));
    const making: Kept = { atMs: nowMs, isMaking: true, publisher, made };
    keepNewest(this.#kept, key, making);
    made.then(
      (picture) => {
        making.isMaking = false;
        if (Buffer.isBuffer(picture)) keepNewest(this.#last, key, picture);
      },
      // Failures are not cached.
      () => this.#kept.get(key) === making && this.#kept.delete(key),
    );
    return made;
  }
}

async function make({ keyframe }: Shown, withinMs: number): Promise<Thumbnail> {
  const input = await keyframe();
  if (!input) return { reason: 'no-video' };
  // Loaded on first use, to save memory on idle servers.
  const { runTool } = await import('@weir/process');
  const tool = { command: 'ffmpeg', args: thumbnailArgs(), input, niceness, withinMs, mostBytes };
  const { isMissing, code, cut, bytes } = await runTool(tool);
  if (isMissing) return { reason: 'no-ffmpeg' };
  // A timeout does not mean that the picture is broken.
  if (cut === 'time')
    throw new WeirError('unavailable', 'no time for a thumbnail, try again', { retryAfterSeconds: 10 });
  return code === 0 && !cut && bytes.length > 0 ? bytes : { reason: 'undecodable' };
}

function keepNewest<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
}
