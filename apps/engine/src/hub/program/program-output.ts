import {
  type AudioConfig,
  isSameDecoder,
  type MediaFrame,
  metadataOfTracks,
  silentAac,
  silentMp3,
  type TrackConfig,
  type VideoConfig,
} from '@weir/media';
import type { Log } from '@weir/plane';
import type { StreamPlace } from '@weir/streams';
import type { ClientInfo } from '../clients/client-info.ts';
import { type ClientEntry, Clients } from '../clients/clients.ts';
import { Refused } from '../clients/gate.ts';
import type { Hub } from '../hub.ts';
import { convertedAudio } from '../player-views/player-kind.ts';
import type { Publication } from '../stream.ts';
import type { InputFit, ProgramInput, Tracks } from './program-input.ts';
import { type SlateLoop, SlatePlayback } from './slate/slate-loop.ts';
import { plainArt, type SlateArt, type Slates } from './slate/slates.ts';
import { audioFrameMs, Splice } from './splice.ts';

/** Longest pause of this machine that is filled completely. */
const mostFillMs = 10_000;

interface Context {
  readonly hub: Hub;
  readonly log: Log;
  readonly slates: Pick<Slates, 'prepare' | 'find' | 'music'>;
  readonly onBegan: (info: ClientInfo) => void;
  readonly onEnded: (info: ClientInfo) => void;
}

/** Access to the publisher of the input on air. */
interface Source {
  readonly kick: (reason: string) => void;
  readonly onAir: () => ClientEntry | undefined;
}

/**
 * The stream that a program publishes: frames of one input after another on one clock, with configs where decoders need them, and what
 * fills tracks that an input does not have.
 */
export class ProgramOutput {
  readonly #context: Context;
  readonly #place: StreamPlace;
  readonly #kick: Source['kick'];
  readonly #publisher: Source['onAir'];
  #splice = new Splice();
  #publication: Publication | undefined;
  #entry: ClientEntry | undefined;
  #showing: SlatePlayback | undefined;
  /** Tracks of the last input on air, which the next one should fit. */
  #reference: Tracks = {};
  #sent: Tracks = {};
  #pictureSentAtMs = 0;
  art: SlateArt = plainArt;

  constructor(place: StreamPlace, { kick, onAir }: Source, context: Context) {
    this.#place = place;
    this.#kick = kick;
    this.#publisher = onAir;
    this.#context = context;
  }

  get isOpen(): boolean {
    return this.#publication !== undefined;
  }

  /** Tracks of the last input on air. */
  get reference(): Tracks {
    return this.#reference;
  }

  get splice(): Pick<Splice, 'offsetMs' | 'lastVideoMs' | 'hasBegun'> {
    return this.#splice;
  }

  /** Sends an input from now on, beginning with its frames since a keyframe. Undefined while another client publishes the stream. */
  cut(input: ProgramInput, pictures: readonly MediaFrame[], offsetMs: number, nowMs: number): number | undefined {
    if (!this.#publication && !this.#publish(input)) return undefined;
    this.#showing = undefined;
    const [keyframe] = pictures;
    this.#splice.cut({ keyframe, offsetMs, intervalMs: input.intervalMs });
    if (!keyframe) this.#splice.beginAudio((input.recentAudio[0]?.dtsMs ?? 0) + offsetMs);
    const isChanged = this.sendConfigs(input);
    const placed = [
      ...pictures.map((frame) => this.#splice.video(frame)),
      ...input.recentAudio.map((frame) => this.#splice.audio(frame, input.audioFrameMs)),
    ].filter((frame) => frame !== undefined);
    const [first] = placed;
    placed.sort((a, b) => a.dtsMs - b.dtsMs);
    // Restarted packagers drop frames before the keyframe.
    const inOrder = isChanged && first && keyframe ? [first, ...placed.filter((frame) => frame !== first)] : placed;
    const gapMs = this.#pictureSentAtMs === 0 ? 0 : nowMs - this.#pictureSentAtMs;
    for (const frame of inOrder) this.#send(frame, nowMs);
    this.#fill(input, nowMs);
    return gapMs;
  }

  /** Continues the input on air with this frame, after a break of its own clock. */
  rejoin(input: ProgramInput, frame: MediaFrame, offsetMs: number, nowMs: number): void {
    const keyframe = frame.kind === 'video' ? frame : undefined;
    this.#splice.cut({ keyframe, offsetMs, intervalMs: input.intervalMs });
    this.sendConfigs(input);
    this.pass(input, frame, nowMs);
  }

  /** Lets the slate follow the last picture. `untilMs`: present time of the program. Returns the time since that picture. */
  cutToSlate(current: ProgramInput | undefined, untilMs: number, nowMs: number): number {
    const { video } = this.#reference;
    const loop = video && this.#slateFor(video);
    this.#showing = undefined;
    if (loop) {
      const fromMs = this.#lastShownMs + (current?.intervalMs ?? loop.intervalMs);
      this.#showing = new SlatePlayback(loop, Math.max(fromMs, untilMs - mostFillMs));
      this.#sendConfig(loop.video);
    }
    return nowMs - this.#pictureSentAtMs;
  }

  /** Sends the pictures and audio of the slate that are due. */
  showSlate(untilMs: number, nowMs: number): void {
    const showing = this.#showing;
    if (showing && untilMs - this.#splice.lastVideoMs > 2 * mostFillMs) {
      this.#showing = new SlatePlayback(showing.loop, untilMs);
    }
    if (showing?.isAtStart) this.#renewSlate(showing);
    for (let next = this.#showing?.next(untilMs); next; next = this.#showing?.next(untilMs)) {
      this.#splice.filledVideo(next);
      this.#send(next, nowMs);
      this.#fillAudio(next.dtsMs, nowMs, this.#showing);
    }
    if (!this.#showing) this.#fillAudio(untilMs, nowMs);
  }

  pass(input: ProgramInput, frame: MediaFrame, nowMs: number): void {
    const placed = frame.kind === 'video' ? this.#splice.video(frame) : this.#splice.audio(frame, input.audioFrameMs);
    if (!placed) return;
    this.#send(placed, nowMs);
    this.#fill(input, nowMs);
  }

  /** Sends the configs of an input. Returns true if decoders need another video config from here on. */
  sendConfigs(input: ProgramInput): boolean {
    const { video, audio } = input;
    this.#reference = {
      ...this.#reference,
      ...(video && { video }),
      ...(audio && { audio }),
    };
    const isChanged = video ? this.#sendConfig(video) : false;
    const promised = audio ?? this.#sent.audio ?? convertedAudio.classic;
    this.#sendConfig(promised);
    return isChanged;
  }

  fitOf(input: ProgramInput): InputFit {
    const { video, audio } = input;
    const reference = this.#reference;
    if (!reference.video && !reference.audio) return 'unknown';
    if (video && reference.video && video.codec !== reference.video.codec) return 'unfit';
    if (audio && reference.audio && audio.codec !== reference.audio.codec) return 'unfit';
    if (!video && reference.video && !this.#slateFor(reference.video)) return 'unfit';
    if (!audio && reference.audio && !silenceOf(reference.audio)) return 'unfit';
    if (input.source?.isConformed) return 'conformed';
    const isSame = (one: TrackConfig | undefined, other: TrackConfig | undefined) =>
      !one || !other || isSameDecoder(one, other);
    return isSame(video, reference.video) && isSame(audio, reference.audio) ? 'same' : 'changes';
  }

  end(): void {
    const entry = this.#entry;
    this.#publication?.end();
    this.#publication = undefined;
    this.#entry = undefined;
    this.#splice = new Splice();
    this.#reference = {};
    this.#sent = {};
    this.#showing = undefined;
    this.#pictureSentAtMs = 0;
    if (!entry) return;
    this.#context.hub.clients.delete(entry.info.id);
    this.#context.onEnded(entry.info);
    this.#context.log.info({ stream: `${this.#place.app}/${this.#place.name}` }, 'program ended');
  }

  /** Ahead of need. */
  prepareSlate(config: TrackConfig): void {
    const { slates } = this.#context;
    if (config.kind === 'video') slates.prepare(config, this.art);
    else slates.music(config, this.art);
  }

  /** Returns a loop of the slate, in the form of the stream if that is known. */
  slate(fallback: VideoConfig): SlateLoop | undefined {
    return this.#slateFor(this.#reference.video ?? fallback);
  }

  /** A better loop was made meanwhile, or the owner chose another. */
  #renewSlate({ loop, heard }: SlatePlayback): void {
    const better = this.#reference.video && this.#slateFor(this.#reference.video);
    if (!better || better === loop) return;
    const renewed = new SlatePlayback(better, this.#lastShownMs + loop.intervalMs);
    renewed.heard = heard;
    this.#showing = renewed;
    this.#sendConfig(better.video);
  }

  #slateFor(video: VideoConfig): SlateLoop | undefined {
    return this.#context.slates.find(video, this.art);
  }

  get #lastShownMs(): number {
    return Math.max(this.#splice.lastVideoMs, this.#splice.highestPtsMs);
  }

  /** Fills tracks that the program has and this input lacks. */
  #fill(input: ProgramInput, nowMs: number): void {
    if (!input.audio) this.#fillAudio(this.#splice.lastVideoMs, nowMs);
    if (input.video || !this.#sent.video) return;
    const loop = this.#reference.video && this.#slateFor(this.#reference.video);
    if (!loop) return;
    if (!this.#showing) {
      const fromMs = this.#lastShownMs + loop.intervalMs;
      this.#showing = new SlatePlayback(loop, Math.max(fromMs, this.#splice.audioEndMs - mostFillMs));
      this.#sendConfig(loop.video);
    }
    for (let next = this.#showing.next(this.#splice.audioEndMs); next; ) {
      this.#splice.filledVideo(next);
      this.#send(next, nowMs);
      next = this.#showing.next(this.#splice.audioEndMs);
    }
  }

  /** Sends silence, or the music of a slate that is shown. */
  #fillAudio(untilMs: number, nowMs: number, showing?: SlatePlayback): void {
    const audio = this.#sent.audio;
    const silence = audio && silenceOf(audio);
    const music = audio && showing && this.#context.slates.music(audio, this.art);
    if (!audio || !silence || untilMs === Number.NEGATIVE_INFINITY) return;
    const lengthMs = audioFrameMs(audio);
    this.#splice.beginAudio(untilMs);
    while (this.#splice.audioEndMs + lengthMs <= untilMs) {
      const dtsMs = this.#splice.filledAudio(lengthMs);
      const payload = music?.[showing ? showing.heard++ % music.length : 0] ?? silence;
      this.#send({ kind: 'audio', codec: audio.codec, dtsMs, ptsMs: dtsMs, isKeyframe: true, payload }, nowMs);
    }
  }

  #sendConfig(config: TrackConfig): boolean {
    const before = this.#sent[config.kind];
    if (before && isSameDecoder(before, config)) return false;
    this.#sent = { ...this.#sent, [config.kind]: config };
    this.#publication?.config(config);
    return true;
  }

  #send(frame: MediaFrame, nowMs: number): void {
    if (frame.kind === 'video') this.#pictureSentAtMs = nowMs;
    if (this.#entry) this.#entry.counters.bytesIn += frame.payload.length;
    this.#publication?.frame(frame);
  }

  #publish(input: ProgramInput): boolean {
    const { hub, log, onBegan } = this.#context;
    const stream = hub.open(this.#place);
    if (!stream) return false;
    const info: ClientInfo = {
      id: Clients.newId(),
      kind: 'program-publish',
      address: '127.0.0.1',
      place: this.#place,
      param: '',
      tcUrl: '',
      pageUrl: '',
      connectedAt: new Date(),
    };
    const entry: ClientEntry = { ...Clients.entry(info, (reason) => this.#kick(reason)), onAir: this.#publisher };
    try {
      this.#publication = stream.publish(entry);
    } catch (error) {
      // A publisher from before the program stays until it leaves.
      if (error instanceof Refused) return false;
      throw error;
    }
    this.#entry = entry;
    hub.clients.add(entry);
    onBegan(info);
    log.info({ stream: `${this.#place.app}/${this.#place.name}`, client: info.id }, 'program on air');
    const tracks = metadataOfTracks(input.video?.codec, input.audio?.codec ?? 'aac');
    this.#publication.metadata({ ...input.source?.metadata, ...tracks });
    return true;
  }
}

const silences = new Map<string, Buffer | undefined>();

/** Form for RTMP: inputs with Opus are taken from the view with AAC. */
function silenceOf({ codec, sampleRate, channels }: AudioConfig): Buffer | undefined {
  const key = `${codec} ${sampleRate} ${channels}`;
  if (!silences.has(key)) {
    const isMp3 = codec === 'mp3';
    silences.set(key, isMp3 ? silentMp3(sampleRate, channels) : codec === 'aac' ? silentAac(channels) : undefined);
  }
  return silences.get(key);
}
