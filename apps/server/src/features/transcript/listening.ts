import type { ProcessReport } from '@weir/contract';
import { placeText } from '@weir/dialect';
import type { Log } from '@weir/plane';
import { type ProcessSpec, type Scope, type Supervisor, speechArgs } from '@weir/process';
import type { Ai } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import { chooseInput, type LiveInput, type LiveInputs } from '../../outlets/live-inputs.ts';
import { processReport } from '../../processes/process-report.ts';
import type { Cue, Heard } from '../../speech/cue.ts';
import { InterimPace } from '../../speech/interim/interim-pace.ts';
import { StreamSpeech } from '../../speech/stream-speech.ts';
import type { StartVoiceActivity } from '../../speech/voice-activity.ts';
import type { Captions } from './captions.ts';
import type { Lane } from './lane/lane.ts';
import type { Lanes } from './lane/lanes.ts';
import type { TranscriptSettings } from './transcript-settings.ts';

interface ListeningContext {
  readonly ai: Pick<Ai, 'transcribe' | 'describe'>;
  readonly activity: StartVoiceActivity;
  readonly settings: TranscriptSettings;
  readonly lanes: Lanes;
  readonly inputs: LiveInputs;
  readonly supervisor: Supervisor;
  readonly events: Events;
  readonly captions: Pick<Captions, 'follow' | 'isShown' | 'grow'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Heeded {
  readonly place: string;
  readonly name: string;
  readonly speech: StreamSpeech;
  isLive: boolean;
}

/** Listening is light, and late text is worth little: before encoders, after whoever serves viewers. */
const niceness = 5;
/** Who joins gets what was sent since the last keyframe at once. */
const fastLimit = 3;
/** In a row. The first may be that of a stream that has only begun. */
const deafFailures = 2;

/** Listens to the streams of all lanes: a program for each that gives its sound, and what is understood of it. */
export class Listening {
  readonly #context: ListeningContext;
  readonly #heeded = new Map<string, Heeded>();
  readonly #processes: Scope;
  readonly #pace: InterimPace;

  constructor(context: ListeningContext) {
    this.#context = context;
    this.#pace = new InterimPace(context.clock);
    this.#processes = context.supervisor.scope('transcript', () => this.#plan());
    context.inputs.onChange(this.#processes.wake);
  }

  /** Something that is wanted changed. */
  wake(): void {
    this.#processes.wake();
  }

  /** What is known of a lane's stream now. */
  speechOf(uuid: string) {
    const heeded = this.#heeded.get(uuid);
    if (!heeded) return undefined;
    const { place, speech } = heeded;
    // A stream without sound, or one that cannot be read: nobody will ever tell what was said.
    const isDeaf = (this.#processes.observe(keyOf(uuid))?.failures ?? 0) >= deafFailures;
    const knownUntilMs = isDeaf ? Number.POSITIVE_INFINITY : speech.knownUntilMs;
    return { place, knownUntilMs, heardUntilMs: speech.heardUntilMs };
  }

  report(uuid: string): { stream: string; process: ProcessReport; facts: StreamSpeech['facts'] | undefined } {
    const heeded = this.#heeded.get(uuid);
    const wanted = { isOn: this.#context.settings.now.all, hasSource: heeded?.isLive ?? false };
    return {
      stream: heeded?.isLive ? heeded.name : '',
      process: processReport(wanted, this.#processes.observe(keyOf(uuid))),
      facts: heeded?.speech.facts,
    };
  }

  close(): void {
    for (const uuid of [...this.#heeded.keys()]) this.#leave(uuid);
  }

  async #plan(): Promise<ProcessSpec[]> {
    const { settings, lanes, inputs, captions } = this.#context;
    await lanes.load();
    const { all, captions: shown } = await settings.read();
    const view = all ? await inputs.look() : { streams: [], ownPlaceOf: () => undefined };
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
      else this.#leave(uuid);
    }
    for (const uuid of this.#heeded.keys()) if (!lanes.of(uuid)) this.#leave(uuid);
    captions.follow(captioned);
    return specs;
  }

  async #heed(lane: Lane, live: LiveInput): Promise<ProcessSpec> {
    const { uuid } = lane.row;
    const place = placeText(live);
    if (this.#heeded.get(uuid)?.place !== place) this.#leave(uuid);
    const heeded = this.#heeded.get(uuid) ?? { place, name: live.name, speech: this.#speech(lane, live), isLive: true };
    this.#heeded.set(uuid, heeded);
    heeded.isLive = true;
    heeded.speech.begin(live.clientId);
    await this.#context.lanes.point(lane, place);
    return {
      key: keyOf(uuid),
      args: speechArgs({ from: live.input }),
      secrets: live.secrets,
      runsFor: live.clientId,
      ...{ niceness, fastLimit },
      output: () => heeded.speech.reader(),
    };
  }

  #speech(lane: Lane, live: LiveInput): StreamSpeech {
    const { ai, clock, activity, settings, captions } = this.#context;
    const { vhost, app, stream, clientId } = live;
    const place = { vhost, app, stream };
    const context = {
      ...{ ai, clock, activity, pace: this.#pace },
      ask: () => ({ provider: settings.provider, language: settings.now.lang }),
      isRead: () => captions.isShown(place),
      onInterim: (epoch: string, pages: readonly Cue[]) => captions.grow(place, epoch, pages),
      onHeard: (heard: Heard) => this.#heard(lane, place, heard),
    };
    return new StreamSpeech(context, clientId);
  }

  #heard(lane: Lane, place: Pick<LiveInput, 'vhost' | 'app' | 'stream'>, heard: Heard): void {
    const { events, log } = this.#context;
    lane.hear(heard).catch((error: unknown) => log.warn({ err: error }, 'a text could not be kept'));
    const { epoch, language } = heard;
    for (const cue of heard.cues) events.emit('cue:spoken', { ...place, epoch, language, ...cue });
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
}

function keyOf(uuid: string): string {
  return `transcript/${uuid}`;
}
