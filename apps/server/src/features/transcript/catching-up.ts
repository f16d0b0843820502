import type { Clock } from '../../core/clock.ts';
import { segmentEndMs } from '../../pipelines/pipeline-segment.ts';
import { wrappedMs } from '../../pipelines/segment-start.ts';
import { usualFormat } from '../../segments/segment-feed.ts';
import { type AudioBlock, AudioBlocks } from '../../speech/audio-blocks.ts';
import type { Heard } from '../../speech/cue.ts';
import { EnergyDetector } from '../../speech/energy-detector.ts';
import { HeardSpans } from '../../speech/missed/heard-spans.ts';
import { MissedSpeech, type SoundSegment } from '../../speech/missed/missed-speech.ts';
import { StreamSpeech } from '../../speech/stream-speech.ts';
import type { SegmentRow } from './pipeline/segment-row.ts';
import type { TranscriptPipeline } from './pipeline/transcript-pipeline.ts';

/** Same priority as live listening; the work is late already. */
const niceness = 5;
const withinMs = 20_000;
/** Two minutes of sound: no segment is longer. */
const mostBytes = 4 * 1024 * 1024;

/** The sound of a segment that begins at `startMs`, on the clock of its stream. */
async function segmentSound(file: string, startMs: number, signal: AbortSignal): Promise<AudioBlock[]> {
  // Loaded by the first one that is read: an idle server does without.
  const { runTool, segmentSpeechArgs } = await import('@weir/process');
  const args = ['-hide_banner', '-loglevel', 'error', ...segmentSpeechArgs(file, usualFormat.demuxer)];
  const end = await runTool({ command: 'ffmpeg', args, niceness, withinMs, mostBytes, signal });
  if (end.code !== 0 || end.cut) throw new Error(end.cut ? 'extracting the audio took too long' : end.reason);
  // The clock of packets starts over once a day.
  const shiftMs = startMs - wrappedMs(startMs);
  return new AudioBlocks().push(end.bytes).map(({ atMs, pcm }) => ({ atMs: atMs + shiftMs, pcm }));
}

type SpeechContext = ConstructorParameters<typeof StreamSpeech>[0];

interface Context extends Pick<SpeechContext, 'ai' | 'ask' | 'pace'> {
  readonly clock: Clock;
  readonly fileOf: (row: SegmentRow) => string;
  readonly onHeard: (heard: Heard, place: Pick<SegmentRow, 'vhost' | 'app' | 'stream'> | undefined) => void;
}

type LaneSegment = SoundSegment & { readonly row: SegmentRow };

/** Tracks which parts of a stream were transcribed, and transcribes the rest from segments. */
export class CatchingUp {
  readonly heard = new HeardSpans();
  readonly #missed: MissedSpeech<LaneSegment>;

  /** Parts that an earlier process transcribed are not repeated. */
  constructor(context: Context, understood: TranscriptPipeline['understood']) {
    const { clock, fileOf, onHeard, ...speech } = context;
    for (const [epoch, toMs] of understood) this.heard.add(epoch, { fromMs: Number.NEGATIVE_INFINITY, toMs });
    this.#missed = new MissedSpeech<LaneSegment>({
      heard: this.heard,
      clock,
      onHeard,
      read: ({ row, startMs }, signal) => segmentSound(fileOf(row), startMs, signal),
      // A segment is over before a better detector has joined, and viewers are past its words.
      listen: (onText) => {
        const activity: SpeechContext['activity'] = (listener) => new EnergyDetector(listener);
        return new StreamSpeech({ ...speech, clock, activity, onHeard: onText }, '');
      },
    });
  }

  get facts() {
    return this.#missed.facts;
  }

  /** `speech`: of whoever listens to the stream now. */
  look(rows: readonly SegmentRow[], speech: Pick<StreamSpeech, 'epoch' | 'heardUntilMs'> | undefined): void {
    const untilMs = speech?.heardUntilMs;
    const live = speech && untilMs !== undefined ? { epoch: speech.epoch, untilMs } : undefined;
    this.#missed.look(rows.map(segmentOf), live);
  }

  isDone(row: SegmentRow): boolean {
    return this.#missed.isDone(segmentOf(row));
  }

  close(): void {
    this.#missed.close();
  }
}

function segmentOf(row: SegmentRow): LaneSegment {
  const { id, vhost, app, stream, clientId: epoch, startMs } = row;
  return { id, vhost, app, stream, epoch, startMs: startMs ?? 0, endMs: segmentEndMs(row), row };
}
