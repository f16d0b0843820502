import type { ProcessReport } from '@weir/contract';
import { type ProcessSpec, type Scope, type Supervisor, speechArgs } from '@weir/process';
import { placeText, type WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { chooseInput, type LiveInput, type LiveInputs } from '../../outlets/live-inputs.ts';
import { segmentEndMs } from '../../pipelines/pipeline-segment.ts';
import { wrappedMs } from '../../pipelines/segment-start.ts';
import { processReport } from '../../process-reports/process-report.ts';
import { usualFormat } from '../../segments/segment-feed.ts';
import { type AudioBlock, AudioBlocks } from '../../speech/audio-blocks.ts';
import type { Cue, Heard } from '../../speech/cue.ts';
import { EnergyDetector } from '../../speech/energy-detector.ts';
import { joinLines } from '../../speech/join-texts.ts';
import { HeardSpans } from '../../speech/missed/heard-spans.ts';
import { MissedSpeech, type SoundSegment } from '../../speech/missed/missed-speech.ts';
import { StreamSpeech } from '../../speech/stream-speech.ts';
import type { Captions } from './captions.ts';
import type { SegmentRow } from './pipeline/segment-row.ts';
import type { TranscriptPipeline } from './pipeline/transcript-pipeline.ts';
import type { TranscriptPipelines } from './pipeline/transcript-pipelines.ts';
import type { TranscriptSettings } from './transcript-settings.ts';

/** Stream of a text, or undefined when it is too late to show it. */
type ToldPlace = (WirePlace & { readonly isMissed?: boolean }) | undefined;

interface ListeningContext {
  readonly recognition: Pick<
    ConstructorParameters<typeof StreamSpeech>[0],
    'ai' | 'clock' | 'ask' | 'pace' | 'activity'
  >;
  readonly settings: TranscriptSettings;
  readonly lanes: TranscriptPipelines;
  readonly inputs: LiveInputs;
  readonly supervisor: Supervisor;
  readonly captions: Pick<Captions, 'follow' | 'isShown' | 'grow'>;
  readonly fileOf: (row: SegmentRow) => string;
  readonly onHeard: (lane: TranscriptPipeline, heard: Heard, told: ToldPlace) => void;
}

interface Heeded {
  readonly place: string;
  readonly name: string;
  readonly speech: StreamSpeech;
  isLive: boolean;
  /** Text of the sentence being spoken. */
  growing: string;
}

/** Priority: below the processes that serve viewers, above encoders, because recognition is cheap and urgent. */
const niceness = 5;
/** A new viewer receives everything since the last keyframe at once. */
const fastLimit = 3;
/** Consecutive failures. */
const deafFailures = 2;

/** Listens to the streams of all lanes: a program for each that gives its sound, and what is understood of it. */
export class LiveTranscription {
  readonly #context: ListeningContext;
  readonly #heeded = new Map<string, Heeded>();
  readonly #catchingUp = new Map<string, CatchUpTranscription>();
  readonly #processes: Scope;

  constructor(context: ListeningContext) {
    this.#context = context;
    this.#processes = context.supervisor.scope('transcript', () => this.#plan());
  }

  /** Re-evaluates what should run after a change of settings or live streams. */
  wake(): void {
    this.#processes.wake();
  }

  /** Recognition of the stream of one pipeline. */
  speechOf(lane: () => TranscriptPipeline) {
    return {
      state: () => {
        const { uuid } = lane().row;
        const heeded = this.#heeded.get(uuid);
        if (!heeded) return undefined;
        const { place, speech } = heeded;
        const knownUntilMs = this.#isDeaf(uuid) ? Number.POSITIVE_INFINITY : speech.knownUntilMs;
        return { place, epoch: speech.epoch, knownUntilMs, heardUntilMs: speech.heardUntilMs };
      },
      catchUp: (rows: readonly SegmentRow[]) => {
        const { uuid } = lane().row;
        const isWorthIt = rows.length > 0 && !this.#isDeaf(uuid);
        if (isWorthIt) this.#catchingUpOf(lane()).look(rows, this.#heeded.get(uuid)?.speech);
      },
      isCaughtUp: (row: SegmentRow) => this.#catchingUp.get(lane().row.uuid)?.isDone(row) ?? true,
    };
  }

  report(uuid: string): { stream: string; process: ProcessReport; facts: StreamSpeech['facts'] | undefined } {
    const heeded = this.#heeded.get(uuid);
    const wanted = { isOn: this.#context.settings.now.all, hasSource: heeded?.isLive ?? false };
    return {
      stream: heeded?.isLive ? heeded.name : '',
      process: processReport(wanted, this.#processes.observe(keyOf(uuid))),
      facts: heeded && withMissed(heeded.speech.facts, this.#catchingUp.get(uuid)?.facts),
    };
  }

  /** Text of the sentence being spoken; empty if it is not recognized before its end. */
  growingOf(uuid: string): string {
    const heeded = this.#heeded.get(uuid);
    return heeded?.isLive ? heeded.growing : '';
  }

  close(): void {
    for (const uuid of [...this.#heeded.keys(), ...this.#catchingUp.keys()]) this.#forget(uuid);
  }

  async #plan(): Promise<ProcessSpec[]> {
    const { settings, lanes, inputs, captions } = this.#context;
    await lanes.load();
    const { all, captions: shown } = await settings.read();
    const view = all ? await inputs.look() : { streams: [], ownPlaceOf: () => undefined, isLoop: () => false };
    const taken = new Set<string>();
    const specs: ProcessSpec[] = [];
    const captioned: LiveInput[] = [];
    for (const lane of lanes.all) {
      const { uuid, wanted } = lane.row;
      const free = { ...view, streams: view.streams.filter((stream) => !taken.has(placeText(stream))) };
      const live = chooseInput(free, wanted, { current: undefined, to: '' });
      if (live) {
        taken.add(placeText(live));
        specs.push(await this.#heed(lane, live));
        if (shown.includes(wanted)) captioned.push(live);
      } else if (all) this.#finish(uuid);
      else this.#forget(uuid);
    }
    for (const uuid of [...this.#heeded.keys(), ...this.#catchingUp.keys()]) if (!lanes.of(uuid)) this.#forget(uuid);
    captions.follow(captioned);
    return specs;
  }

  async #heed(lane: TranscriptPipeline, live: LiveInput): Promise<ProcessSpec> {
    const { uuid } = lane.row;
    const place = placeText(live);
    if (this.#heeded.get(uuid)?.place !== place) this.#leave(uuid);
    const heeded = this.#heeded.get(uuid) ?? {
      place,
      name: live.name,
      speech: this.#speech(lane, live),
      isLive: true,
      growing: '',
    };
    this.#heeded.set(uuid, heeded);
    heeded.isLive = true;
    heeded.speech.begin(live.clientId);
    await this.#context.lanes.point(lane, place);
    return {
      key: keyOf(uuid),
      args: speechArgs({ from: live.input }),
      secrets: live.secrets,
      runsFor: live.clientId,
      niceness,
      fastLimit,
      output: () => heeded.speech.reader(),
    };
  }

  #speech(lane: TranscriptPipeline, live: LiveInput): StreamSpeech {
    const { recognition, captions, onHeard } = this.#context;
    const { vhost, app, stream, clientId } = live;
    const place = { vhost, app, stream };
    const context = {
      ...recognition,
      heard: this.#catchingUpOf(lane).heard,
      interim: {
        isRead: () => captions.isShown(place),
        onInterim: (epoch: string, pages: readonly Cue[]) => {
          this.#setGrowing(lane, pages);
          captions.grow(place, epoch, pages);
        },
      },
      onHeard: (heard: Heard) => {
        this.#setGrowing(lane, []);
        onHeard(lane, heard, place);
      },
    };
    return new StreamSpeech(context, clientId);
  }

  #setGrowing({ row: { uuid } }: TranscriptPipeline, pages: readonly Cue[]): void {
    const heeded = this.#heeded.get(uuid);
    if (heeded) heeded.growing = joinLines(pages.map(({ text }) => text).join('\n'));
  }

  #catchingUpOf(lane: TranscriptPipeline): CatchUpTranscription {
    const { uuid } = lane.row;
    const found = this.#catchingUp.get(uuid);
    if (found) return found;
    const { recognition, fileOf, onHeard: onText } = this.#context;
    const onHeard = (heard: Heard, place: WirePlace | undefined) =>
      onText(lane, heard, place && { vhost: place.vhost, app: place.app, stream: place.stream, isMissed: true });
    const made = new CatchUpTranscription({ ...recognition, fileOf, onHeard }, lane.understood);
    this.#catchingUp.set(uuid, made);
    return made;
  }

  /** The stream has no audio, or cannot be read, so it will have no text. */
  #isDeaf(uuid: string): boolean {
    return (this.#processes.observe(keyOf(uuid))?.failures ?? 0) >= deafFailures;
  }

  /** The stream ended; what was said last is still to be understood. */
  #finish(uuid: string): void {
    const heeded = this.#heeded.get(uuid);
    if (!heeded?.isLive) return;
    heeded.isLive = false;
    heeded.speech.finish();
  }

  #leave(uuid: string): void {
    this.#heeded.get(uuid)?.speech.close();
    this.#heeded.delete(uuid);
  }

  /** Drops the state of a removed pipeline. */
  #forget(uuid: string): void {
    this.#leave(uuid);
    this.#catchingUp.get(uuid)?.close();
    this.#catchingUp.delete(uuid);
  }
}

type SpeechFacts = StreamSpeech['facts'];

function withMissed(live: SpeechFacts, missed: SpeechFacts | undefined): SpeechFacts {
  const [dropped, failed] = [live.dropped + (missed?.dropped ?? 0), live.failed + (missed?.failed ?? 0)];
  return { ...live, dropped, failed, cause: live.cause ?? missed?.cause };
}

function keyOf(uuid: string): string {
  return `transcript/${uuid}`;
}

/** Same priority as live listening; the work is late already. */
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
class CatchUpTranscription {
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

  /** `speech`: current recognition of the stream. */
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
