import { MalformedMedia } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { ownTicket } from '@weir/plane';
import { ladderArgs, ladderDecodeArgs, measuredCpuMs, runTool, sampleArgs } from '@weir/process';
import { type LadderEncoding, type LadderRung, placeText } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { LiveInput } from '../../outlets/live-inputs.ts';

interface Context {
  /** Token by which the engine tells our own programs from viewers. */
  readonly ownToken: string;
  readonly clock: Clock;
}

export interface Costs {
  /** CPU for decoding in percent of a core. */
  readonly decodePercent: number;
  readonly rungs: readonly RungCost[];
}

interface RungCost extends LadderRung {
  readonly percent: number;
}

interface Known {
  readonly percent: number;
  readonly atMs: number;
}

const sampleSeconds = 3;
const leastMs = 1000;
const sampleWithinMs = 15_000;
const encodeWithinMs = 60_000;
const mostSampleBytes = 32 * 2 ** 20;
const mostOutputBytes = 64 * 2 ** 20;
const niceness = 10;
/** Age at which a result expires, because the stream shows something else by then. */
const keptMs = 3600_000;
const mostKept = 1000;

/** Measures the CPU time of each quality by encoding three seconds of the stream. Elapsed time would depend on other work of the machine. */
export class RungCosts {
  readonly #context: Context;
  readonly #known = new Map<string, Known>();
  /** Runs one measurement at a time, so that measuring does not make the machine busy. */
  readonly #turns = new Mutex();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns earlier results if they cover all rungs. `source`: video format of the stream. */
  known(input: LiveInput, source: string, encoding: LadderEncoding): Costs | undefined {
    const decodePercent = this.#find(`${placeText(input)} ${source}`);
    const rungs = encoding.rungs.map((rung) => ({
      ...rung,
      percent: this.#find(keyOf(input, source, encoding, rung)),
    }));
    if (decodePercent === undefined || !rungs.every(isMeasured)) return undefined;
    return { decodePercent, rungs };
  }

  /** Throws where the stream cannot be read or encoded. */
  measure(input: LiveInput, source: string, encoding: LadderEncoding): Promise<Costs> {
    return this.#turns.take(async () => this.known(input, source, encoding) ?? this.#measure(input, source, encoding));
  }

  async #measure(input: LiveInput, source: string, encoding: LadderEncoding): Promise<Costs> {
    const sample = await this.#sample(input);
    const durationMs = durationOf(sample);
    if (durationMs < leastMs) throw unreadable();
    const cost = async (args: readonly string[]) => {
      const withinMs = encodeWithinMs;
      const end = await runTool({
        command: 'ffmpeg',
        args,
        input: sample,
        niceness,
        withinMs,
        mostBytes: mostOutputBytes,
      });
      const cpuMs = measuredCpuMs(end.said);
      if (end.code !== 0 || end.cut || cpuMs === undefined) {
        throw new WeirError('unavailable', 'the test encode failed, test the encoders again');
      }
      return (cpuMs / durationMs) * 100;
    };
    const decodePercent = await cost(ladderDecodeArgs());
    const rungs: RungCost[] = [];
    for (const rung of encoding.rungs) {
      const all = await cost(ladderArgs({ ...encoding, rungs: [rung] }, { isMeasured: true }));
      const percent = Math.max(0.1, all - decodePercent);
      rungs.push({ ...rung, percent });
      this.#keep(keyOf(input, source, encoding, rung), percent);
    }
    this.#keep(`${placeText(input)} ${source}`, decodePercent);
    return { decodePercent, rungs };
  }

  async #sample({ input, secrets }: LiveInput): Promise<Buffer> {
    const { ownToken, clock } = this.#context;
    const ticket = ownToken === '' ? '' : ownTicket(ownToken, clock.dateMs());
    const args = sampleArgs(input, sampleSeconds).map((text) =>
      ownToken === '' ? text : text.replaceAll(ownToken, ticket),
    );
    const { code, isMissing, bytes, cut } = await runTool({
      command: 'ffmpeg',
      args,
      secrets: [...secrets, ticket].filter((text) => text !== ''),
      niceness,
      withinMs: sampleWithinMs,
      mostBytes: mostSampleBytes,
    });
    if (isMissing) throw new WeirError('unavailable', 'there is no ffmpeg on this machine');
    if (code !== 0 || cut) throw unreadable();
    return bytes;
  }

  #find(key: string): number | undefined {
    const found = this.#known.get(key);
    return found && this.#context.clock.elapsedMs() - found.atMs < keptMs ? found.percent : undefined;
  }

  #keep(key: string, percent: number): void {
    if (this.#known.size >= mostKept) this.#known.clear();
    this.#known.set(key, { percent, atMs: this.#context.clock.elapsedMs() });
  }
}

function isMeasured(rung: LadderRung & { readonly percent: number | undefined }): rung is RungCost {
  return rung.percent !== undefined;
}

function keyOf(input: LiveInput, source: string, { encoder, preset }: LadderEncoding, rung: LadderRung): string {
  return [placeText(input), source, encoder, preset, rung.lines, rung.kbps].join(' ');
}

function unreadable(): WeirError {
  return new WeirError('unavailable', 'three seconds of the stream could not be read, try again');
}

function durationOf(sample: Buffer): number {
  try {
    const frames = new MpegTsDemuxer().push(sample).flatMap((item) => (item.type === 'frame' ? [item.frame] : []));
    const times = frames.map(({ dtsMs }) => dtsMs);
    const [first = 0] = times;
    const between = (times.at(-1) ?? first) - first;
    // The last frame has a duration, too.
    return frames.length > 1 ? (between * frames.length) / (frames.length - 1) : 0;
  } catch (error) {
    if (error instanceof MalformedMedia) return 0;
    throw error;
  }
}
