import { readdir } from 'node:fs/promises';
import type { LadderEncoderTest } from '@weir/contract';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { ladderArgs, ladderTestFilmArgs, runTool, type ToolOptions } from '@weir/process';
import { type LadderEncoder, ladderEncoders, renderDevice } from '@weir/streams';
import { Mutex } from '../../core/mutex.ts';

type Run = (options: ToolOptions) => Promise<Pick<Awaited<ReturnType<typeof runTool>>, RunFacts>>;
type RunFacts = 'code' | 'isMissing' | 'bytes' | 'said' | 'cut';

interface Options {
  readonly run?: Run;
  readonly deviceFolder?: string;
}

/** Time limit of a test, for busy machines. An idle one needs less than a second. */
const withinMs = 60_000;
/** Lower priority than viewers and publishers. */
const niceness = 10;
const rungs = [{ lines: 240, kbps: 350 }];
/** Distance of keyframes in the test film, which the encoder must repeat. */
const groupFrames = 5;
const longestDetail = 200;
/** Encoders that are never chosen automatically, because many players have no H.265. */
const onlyByName: readonly LadderEncoder[] = ['libx265'];

/** Causes by the first line of ffmpeg about an encoder that could not be opened. */
const faultLines = [
  ['missing', /unknown encoder|unrecognized option|option not found|encoder not found/i],
  ['driver', /cannot load|driver|nvcuda|libcuda/i],
  ['device', /no va display|device creation failed|mfx session|valid device|no such (file|device)|no device/i],
] as const;

/** Finds out by a short encode with the options of a ladder which encoders work here. Runs when somebody needs it, and keeps the results. */
export class EncoderTests {
  readonly #options: Options;
  readonly #results = new Map<LadderEncoder, LadderEncoderTest>();
  readonly #turns = new Mutex();
  #film: Buffer | undefined;

  constructor(options: Options = {}) {
    this.#options = options;
  }

  async all(isFresh = false): Promise<LadderEncoderTest[]> {
    if (isFresh) this.#results.clear();
    const results: LadderEncoderTest[] = [];
    for (const encoder of ladderEncoders) results.push(await this.of(encoder));
    return results;
  }

  /** Best encoder that works; undefined if none does. */
  async chosen(): Promise<LadderEncoderTest | undefined> {
    for (const encoder of ladderEncoders) {
      if (onlyByName.includes(encoder)) continue;
      const result = await this.of(encoder);
      if (result.isUsable) return result;
    }
    return undefined;
  }

  of(encoder: LadderEncoder): Promise<LadderEncoderTest> {
    return this.#turns.take(async () => {
      const known = this.#results.get(encoder);
      if (known) return known;
      const result = await this.#test(encoder);
      // A missing ffmpeg may be installed at any time.
      if (result.fault !== 'ffmpeg') this.#results.set(encoder, result);
      return result;
    });
  }

  async #test(encoder: LadderEncoder): Promise<LadderEncoderTest> {
    const devices = encoder === 'h264_vaapi' ? await this.#devices() : [''];
    let result: LadderEncoderTest = { encoder, isUsable: false, fault: 'device', detail: '', device: '' };
    for (const device of devices) {
      result = await this.#encode(encoder, device);
      if (result.isUsable) return result;
    }
    return result;
  }

  async #encode(encoder: LadderEncoder, device: string): Promise<LadderEncoderTest> {
    const faulty = (fault: LadderEncoderTest['fault'], detail = '') => {
      return { encoder, isUsable: false, fault, detail: detail.slice(0, longestDetail), device: '' } as const;
    };
    const { run = runTool } = this.#options;
    const usual = { command: 'ffmpeg', niceness, withinMs, mostBytes: 8 * 2 ** 20 };
    if (!this.#film) {
      const film = await run({ ...usual, args: ladderTestFilmArgs() });
      if (film.isMissing) return faulty('ffmpeg');
      if (film.code !== 0) return faulty('failed', firstLine(film.said));
      this.#film = film.bytes;
    }
    const args = ladderArgs({ encoder, preset: 'superfast', device, rungs });
    const { code, isMissing, bytes, said, cut } = await run({ ...usual, args, input: this.#film });
    const line = firstLine(said);
    if (isMissing) return faulty('ffmpeg');
    if (cut) return faulty('failed', 'the test encode did not end');
    if (code !== 0) return faulty(faultLines.find(([, form]) => form.test(line))?.[0] ?? 'failed', line);
    if (!keepsKeyframes(bytes)) return faulty('keyframes');
    return { encoder, isUsable: true, fault: '', detail: '', device };
  }

  async #devices(): Promise<string[]> {
    const { deviceFolder = '/dev/dri' } = this.#options;
    const names = await readdir(deviceFolder).catch(() => []);
    return names
      .map((name) => `/dev/dri/${name}`)
      .filter((path) => renderDevice.test(path))
      .sort();
  }
}

/** Without the name of the part and its address in memory. */
function firstLine(said: readonly string[]): string {
  return (said[0] ?? '').replace(/^\[[^\]]*\] /, '');
}

/** True if the frames that had to be keyframes are, and no others. */
function keepsKeyframes(bytes: Buffer): boolean {
  const frames = new MpegTsDemuxer().push(bytes).flatMap((item) => (item.type === 'frame' ? [item.frame] : []));
  return (
    frames.length > 2 * groupFrames &&
    frames.every(({ isKeyframe }, index) => isKeyframe === (index % groupFrames === 0))
  );
}
