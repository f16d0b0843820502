import { type AudioConfig, isSameDecoder, type MediaFrame, type TrackConfig, type VideoConfig } from '@weir/media';
import { GopCache } from '../gop-cache.ts';
import type { Packager } from '../packager.ts';
import { Packagers } from '../packagers.ts';
import type { Stream, StreamView } from '../stream.ts';
import type { OfferedTracks } from '../tracks/audio-tracks.ts';
import { Conversion, type ConversionContext } from './conversion.ts';
import { ConvertedTracks } from './converted-tracks.ts';
import { aacArgs, bitrateFor, opusArgs, plainH264Args } from './ffmpeg-args.ts';
import { Interleaver, lateMs } from './interleaver.ts';
import { convertedAudio, type Fit, fitOfAudio, fitOfVideo, type PlayerKind, withAudioMetadata } from './player-kind.ts';

interface ByKind<T> {
  video: T;
  audio: T;
}

/**
 * Stream in the codecs of one kind of player. Decodable tracks pass unchanged; others go through a child process, which runs while a
 * player is attached.
 */
export class PlayerView implements StreamView, Packager {
  readonly #stream: Stream;
  readonly #playerKind: PlayerKind;
  readonly #context: ConversionContext;
  readonly #cache = new GopCache();
  readonly #interleaver: Interleaver | undefined;
  readonly #tracks: ConvertedTracks | undefined;
  readonly #conversions: ByKind<Conversion | undefined> = { video: undefined, audio: undefined };
  /** Configs last announced to packagers. */
  #announced: { video: VideoConfig | undefined; audio: AudioConfig | undefined } = {
    video: undefined,
    audio: undefined,
  };
  readonly #packagers: Packagers;
  /** True without conversion: frames and cache are the stream's own. */
  #isDirect = true;
  #isAttached = false;
  #isOver = false;
  #isReordered = false;
  #isSeam = false;
  /** Publishers that left, and whose last sound is not out yet. */
  #draining = 0;
  /** Converted frames from before it come too late. At the beginning they are what encoders put before their first. */
  #seamMs = 0;
  #linger: NodeJS.Timeout | undefined;

  constructor(stream: Stream, playerKind: PlayerKind, context: ConversionContext) {
    this.#stream = stream;
    this.#playerKind = playerKind;
    this.#context = context;
    this.#packagers = new Packagers((error) => stream.fault(error));
    // Browsers put sound and pictures together themselves, and every millisecond counts there.
    if (playerKind === 'classic') {
      this.#interleaver = new Interleaver((frame) => this.#deliver(frame), context.limits);
      this.#tracks = new ConvertedTracks(stream.audioTracks, context, (error) => stream.fault(error));
    }
  }

  get key() {
    return this.#stream.key;
  }

  get place() {
    return this.#stream.place;
  }

  get isLive(): boolean {
    return this.#stream.isLive;
  }

  get isStarting(): boolean {
    return this.#stream.isStarting;
  }

  get subtitles() {
    return this.#stream.subtitles;
  }

  get qualities() {
    return this.#stream.qualities;
  }

  get audioTracks(): OfferedTracks {
    return this.#tracks ?? this.#stream.audioTracks;
  }

  get isDraining(): boolean {
    return !this.isLive && this.#draining > 0;
  }

  get publisher() {
    return this.#stream.publisher;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.#fits().audio === 'convert'
      ? withAudioMetadata(this.#stream.metadata, this.audio)
      : this.#stream.metadata;
  }

  /** Undefined for pictures that are converted, until the first of them is there. */
  get video(): VideoConfig | undefined {
    return this.#fits().video === 'convert' ? this.#announced.video : this.#stream.video;
  }

  get audio(): AudioConfig | undefined {
    if (this.#fits().audio !== 'convert') return this.#stream.audio;
    return this.#conversions.audio?.failure || this.#context.isMissing() ? undefined : convertedAudio[this.#playerKind];
  }

  state(): PlayerViewState {
    return describeView(this.#fits(), this.#conversions, this.#context.isMissing() ? 'ffmpeg is not installed' : '');
  }

  cached(): readonly MediaFrame[] {
    const fits = this.#fits();
    if (fits.video !== 'convert' && fits.audio !== 'convert') return this.#stream.cached();
    if (!this.#isAttached) return this.#stream.cached().filter(({ kind }) => fits[kind] === 'direct');
    if (!this.#stream.isLive) return [];
    // Converted frames come later than others of their time.
    return [...this.#cache.frames].sort((a, b) => a.dtsMs - b.dtsMs);
  }

  attach(packager: Packager): void {
    clearTimeout(this.#linger);
    if (!this.#isAttached && !this.#isOver) {
      this.#isAttached = true;
      this.#stream.attach(this);
    }
    if (this.#isOver) {
      packager.close();
      return;
    }
    const { video, audio } = this;
    this.#packagers.add(packager, [video, audio]);
    // The codecs of a later conversion may be unknown.
    if (!audio) this.#resetAnnounced('audio');
  }

  detach(packager: Packager): void {
    this.#packagers.remove(packager);
    if (this.#packagers.size > 0 || !this.#isAttached) return;
    clearTimeout(this.#linger);
    if (this.#isDirect) this.#rest();
    else this.#linger = setTimeout(() => this.#rest(), this.#context.limits.lingerMs);
  }

  onConfig(config: TrackConfig): void {
    this.#interleaver?.flush();
    if (config.kind === 'video') this.#planVideo();
    else this.#planAudio();
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    if (kind === 'video') this.#planVideo();
    else this.#planAudio();
    this.#resetAnnounced(kind);
    this.#packagers.missing(kind);
  }

  onFrame(frame: MediaFrame): void {
    // Pictures turn out to need conversion, or no longer to.
    if (this.#stream.isReordered !== this.#isReordered) this.#planVideo();
    if (this.#isDirect) {
      this.#packagers.frame(frame);
      return;
    }
    if (this.#isSeam) this.#seamMs = frame.dtsMs;
    this.#isSeam = false;
    const conversion = this.#conversions[frame.kind];
    if (conversion) {
      if (conversion.failure === '') this.#interleaver?.expect();
      conversion.feed(frame);
    } else if (this.#interleaver) {
      this.#interleaver.hold(frame);
    } else {
      this.#deliver(frame);
    }
  }

  onDiscontinuity(): void {
    this.#interleaver?.flush();
    this.#cache.clear();
    this.#isSeam = true;
    this.#packagers.discontinuity();
  }

  /** The tail of its sound belongs to its last pictures. A child for pictures takes long to start, so that one goes on. */
  onLeave(): void {
    this.#packagers.leave();
    this.#drain().catch((error: unknown) => this.#stream.fault(error));
  }

  async #drain(): Promise<void> {
    this.#draining += 1;
    try {
      await this.#conversions.audio?.drain();
    } finally {
      this.#draining -= 1;
    }
    // No more sound comes for pictures to wait for.
    if (!this.isLive) this.#interleaver?.flush();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#linger);
    this.#interleaver?.flush();
    this.#release();
    this.#packagers.close();
  }

  #fits(): { readonly video: Fit; readonly audio: Fit } {
    const { video, audio, isReordered } = this.#stream;
    return { video: fitOfVideo(this.#playerKind, video, isReordered), audio: fitOfAudio(this.#playerKind, audio) };
  }

  #planAudio(): void {
    const { audio } = this.#stream;
    this.#conversions.audio?.close();
    this.#conversions.audio = undefined;
    if (audio && this.#fits().audio === 'convert') {
      const args = this.#playerKind === 'classic' ? aacArgs : opusArgs;
      this.#conversions.audio = this.#convert(audio, args, () => []);
    }
    this.#refillCache();
    const config = this.audio;
    if (config) this.#announce(config);
  }

  #planVideo(): void {
    const { video, stats, isReordered } = this.#stream;
    this.#isReordered = isReordered;
    this.#conversions.video?.close();
    this.#conversions.video = undefined;
    if (video && this.#fits().video === 'convert') {
      const args = () => plainH264Args(video, bitrateFor(video, (stats.bytesIn.perSecond(5) * 8) / 1000));
      const pictures = () => this.#stream.cached().filter(({ kind }) => kind === 'video');
      this.#conversions.video = this.#convert(video, args, pictures);
      this.#resetAnnounced('video');
    }
    this.#refillCache();
    if (video && !this.#conversions.video) this.#announce(video);
  }

  #convert(source: TrackConfig, args: () => readonly string[], recent: () => readonly MediaFrame[]): Conversion {
    this.#interleaver?.restart();
    return new Conversion(
      {
        source,
        args,
        recent,
        // With an interleaver, audio is late once video has left without it.
        mostLateMs: this.#interleaver ? Number.POSITIVE_INFINITY : lateMs,
        onConfig: (config) => this.#announce(config),
        onFrame: (frame) => this.#onConverted(frame),
      },
      this.#context,
    );
  }

  /** Fills the view's own cache from the stream's when the first conversion starts. */
  #refillCache(): void {
    const wasDirect = this.#isDirect;
    const { video, audio } = this.#conversions;
    this.#isDirect = !video && !audio;
    if (this.#isDirect || !wasDirect) return;
    this.#cache.clear();
    for (const frame of this.#stream.cached()) if (!this.#conversions[frame.kind]) this.#cache.push(frame);
  }

  #announce(config: TrackConfig): void {
    const before = this.#announced[config.kind];
    if (before && isSameDecoder(before, config)) return;
    this.#announced = { ...this.#announced, [config.kind]: config };
    this.#packagers.config(config);
  }

  /** Makes the next config of the track announced even if it equals the last one. */
  #resetAnnounced(kind: TrackConfig['kind']): void {
    this.#announced = { ...this.#announced, [kind]: undefined };
  }

  #onConverted(frame: MediaFrame): void {
    if (frame.dtsMs < this.#seamMs || this.#isSeam) return;
    if (this.#interleaver) this.#interleaver.converted(frame);
    else this.#deliver(frame);
  }

  #deliver(frame: MediaFrame): void {
    this.#cache.push(frame);
    this.#packagers.frame(frame);
  }

  /** Stops the conversion when no packager is attached. */
  #rest(): void {
    this.#stream.detach(this);
    this.#release();
  }

  #release(): void {
    this.#isAttached = false;
    this.#interleaver?.close();
    this.#conversions.video?.close();
    this.#conversions.audio?.close();
    this.#tracks?.close();
    this.#conversions.video = undefined;
    this.#conversions.audio = undefined;
    this.#announced = { video: undefined, audio: undefined };
    this.#isDirect = true;
    this.#cache.clear();
  }
}

type TrackState = 'none' | 'direct' | 'converted' | 'unavailable';

/** Media for viewers with this kind of player, present or not. */
interface PlayerViewState {
  readonly audio: TrackState;
  readonly video: TrackState;
  /** True while a child converts. */
  readonly isRunning: boolean;
  /** Why something is unavailable, in words; empty when nothing is. */
  readonly reason: string;
}

interface Converting {
  readonly failure: string;
  readonly pid: number | undefined;
}

/** `absent`: reason why conversion is unavailable; empty if it is available. */
function describeView(fits: ByKind<Fit>, conversions: ByKind<Converting | undefined>, absent: string): PlayerViewState {
  const failureOf = (kind: keyof ByKind<Fit>) => (fits[kind] === 'convert' ? conversions[kind]?.failure || absent : '');
  const failures = { video: failureOf('video'), audio: failureOf('audio') };
  return {
    video: trackStateOf(fits.video, failures.video),
    audio: trackStateOf(fits.audio, failures.audio),
    isRunning: conversions.video?.pid !== undefined || conversions.audio?.pid !== undefined,
    reason: failures.video || failures.audio,
  };
}

function trackStateOf(fit: Fit, failure: string): TrackState {
  if (fit !== 'convert') return fit;
  return failure === '' ? 'converted' : 'unavailable';
}
