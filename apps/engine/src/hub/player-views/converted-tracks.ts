import type { AudioConfig, MediaFrame, TrackConfig } from '@weir/media';
import type { AudioTrack, AudioTracks, OfferedTracks } from '../tracks/audio-tracks.ts';
import { SideTrack } from '../tracks/side-track.ts';
import { Conversion, type ConversionContext } from './conversion.ts';
import { aacArgs } from './ffmpeg-args.ts';
import { convertedAudio, fitOfAudio } from './player-kind.ts';

/** Alternative audio through a child of its own, for players that know only AAC and MP3. */
class ConvertedTrack extends SideTrack<AudioConfig> {
  readonly #source: AudioTrack;
  readonly #context: ConversionContext;
  #conversion: Conversion | undefined;
  #isSeam = false;
  /** Converted frames from before it come too late. */
  #seamMs = Number.NEGATIVE_INFINITY;

  constructor(source: AudioTrack, context: ConversionContext, onFault: (error: unknown) => void) {
    super(source.name, convertedAudio.classic, onFault);
    this.#source = source;
    this.#context = context;
    source.attach({
      onConfig: (config) => this.#convert(config),
      onFrame: (frame) => this.#feed(frame),
      onDiscontinuity: () => {
        this.#isSeam = true;
        this.discontinuity();
      },
      close: () => this.close(),
    });
  }

  get audio(): AudioConfig {
    return this.current;
  }

  get facts() {
    return this.#source.facts;
  }

  override close(): void {
    this.#conversion?.close();
    this.#conversion = undefined;
    super.close();
  }

  #convert(source: TrackConfig): void {
    this.#conversion?.close();
    const options = {
      source,
      args: aacArgs,
      recent: () => [],
      mostLateMs: Number.POSITIVE_INFINITY,
      onConfig: (config: TrackConfig) => {
        if (config.kind === 'audio') this.config(config);
      },
      onFrame: (frame: MediaFrame) => {
        if (!this.#isSeam && frame.dtsMs >= this.#seamMs) this.frame(frame);
      },
    };
    this.#conversion = new Conversion(options, this.#context);
  }

  #feed(frame: MediaFrame): void {
    if (this.#isSeam) this.#seamMs = frame.dtsMs;
    this.#isSeam = false;
    this.#conversion?.feed(frame);
  }
}

/** Alternative audio of a stream in codecs that players of HLS know. A track is converted from the first time that somebody wants it. */
export class ConvertedTracks implements OfferedTracks {
  readonly #source: AudioTracks;
  readonly #context: ConversionContext;
  readonly #onFault: (error: unknown) => void;
  readonly #converted = new Map<AudioTrack, ConvertedTrack>();

  constructor(source: AudioTracks, context: ConversionContext, onFault: (error: unknown) => void) {
    this.#source = source;
    this.#context = context;
    this.#onFault = onFault;
  }

  get all() {
    return this.#source.all.map((track) => (isPlayable(track) ? track : this.#convertedOf(track)));
  }

  get offered() {
    const known = this.#source.offered.flatMap((track) =>
      isPlayable(track) ? track : (this.#converted.get(track) ?? []),
    );
    return known.filter((track) => !track.isPaused);
  }

  get own() {
    return this.#source.own;
  }

  sweep(): void {
    this.#source.sweep();
    const left = new Set(this.#source.all);
    for (const [track, converted] of this.#converted) {
      if (left.has(track) && !isPlayable(track)) continue;
      this.#converted.delete(track);
      converted.close();
    }
  }

  close(): void {
    for (const converted of this.#converted.values()) converted.close();
    this.#converted.clear();
  }

  #convertedOf(track: AudioTrack): ConvertedTrack {
    const known = this.#converted.get(track);
    if (known) return known;
    const converted = new ConvertedTrack(track, this.#context, this.#onFault);
    this.#converted.set(track, converted);
    return converted;
  }
}

const isPlayable = ({ audio }: AudioTrack): boolean => fitOfAudio('classic', audio) === 'direct';
