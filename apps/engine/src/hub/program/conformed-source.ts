import { type AudioConfig, isSameDecoder, type MediaFrame, type TrackConfig, type VideoConfig } from '@weir/media';
import { GopCache } from '../gop-cache.ts';
import type { Packager } from '../packager.ts';
import { Conversion, type ConversionContext } from '../player-views/conversion.ts';
import { bitrateFor, filterArgs } from '../player-views/ffmpeg-args.ts';
import { Interleaver } from '../player-views/interleaver.ts';
import type { InputSource, Tracks } from './program-input.ts';
import { h264Profile } from './slate/slate-args.ts';

/**
 * A starved encoder is late, and everything of its input waits for it: with the other track ahead of it the input would look broken.
 * Starting another one would only take longer.
 */
const mostLateMs = 20_000;
/** Number of audio frames in the same time. */
const mostFps = 50;

interface Both<T> {
  video: T | undefined;
  audio: T | undefined;
}

/**
 * An input in the form of another one. Tracks that have it pass as they are; others go through an encoder, for as long as the input is
 * attached. One that cannot be encoded passes as it is: something else is better than nothing.
 */
export class ConformedSource implements InputSource, Packager {
  readonly #source: InputSource;
  readonly #context: ConversionContext;
  readonly #cache = new GopCache();
  #interleaver: Interleaver;
  readonly #conversions: Both<Conversion> = { video: undefined, audio: undefined };
  /** Forms for which an encoder failed. */
  readonly #failed: Both<TrackConfig> = { video: undefined, audio: undefined };
  readonly #configs: Both<TrackConfig> = { video: undefined, audio: undefined };
  readonly #announced: Both<TrackConfig> = { video: undefined, audio: undefined };
  #form: Tracks = {};
  #packager: Packager | undefined;
  #isSeam = false;
  /** Time of the last discontinuity. Earlier converted frames come too late. */
  #seamMs = Number.NEGATIVE_INFINITY;

  constructor(source: InputSource, context: ConversionContext) {
    this.#source = source;
    this.#context = {
      ...context,
      limits: { ...context.limits, stallMs: Math.max(context.limits.stallMs, mostLateMs) },
    };
    this.#interleaver = this.#interleaverFor(undefined);
  }

  get place() {
    return this.#source.place;
  }

  get isLive(): boolean {
    return this.#source.isLive;
  }

  get metadata() {
    return this.#source.metadata;
  }

  get video(): VideoConfig | undefined {
    return this.#source.video;
  }

  get audio(): AudioConfig | undefined {
    return this.#source.audio;
  }

  get isConformed(): boolean {
    return this.#conversions.video !== undefined || this.#conversions.audio !== undefined;
  }

  /** Sets the form of the other inputs. Tracks that it does not name pass unchanged. */
  conform(form: Tracks): void {
    for (const kind of ['video', 'audio'] as const) {
      const before = this.#form[kind];
      const next = form[kind];
      this.#form = { ...this.#form, [kind]: next };
      if (before !== next && !(before && next && isOfForm(before, next))) this.#plan(kind);
    }
  }

  cached(): readonly MediaFrame[] {
    if (!this.isConformed) return this.#source.cached();
    return [...this.#cache.frames].sort((a, b) => a.dtsMs - b.dtsMs);
  }

  attach(packager: Packager): void {
    this.#packager = packager;
    this.#source.attach(this);
  }

  detach(): void {
    this.#source.detach(this);
    this.#release();
  }

  onConfig({ kind }: TrackConfig): void {
    this.#plan(kind);
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    this.#plan(kind);
    this.#configs[kind] = undefined;
    this.#announced[kind] = undefined;
    this.#packager?.onTrackMissing?.(kind);
  }

  onFrame(frame: MediaFrame): void {
    if (this.#isSeam) this.#seamMs = frame.dtsMs;
    this.#isSeam = false;
    const failure = this.#conversions[frame.kind]?.failure ?? '';
    if (failure !== '') this.#giveUp(frame.kind, failure);
    const conversion = this.#conversions[frame.kind];
    if (conversion) {
      if (frame.kind === 'video' || !this.#conversions.video) this.#interleaver.expect();
      conversion.feed(frame);
    } else if (this.isConformed) {
      this.#interleaver.hold(frame);
    } else {
      this.#deliver(frame);
    }
  }

  onDiscontinuity(): void {
    this.#interleaver.flush();
    this.#cache.clear();
    this.#isSeam = true;
    this.#packager?.onDiscontinuity();
  }

  /** Called when the publisher left. Encoders keep running: a video encoder takes long to start, and the publisher may return. */
  onLeave(): void {
    this.#interleaver.flush();
    this.#cache.clear();
    this.#packager?.onLeave?.();
  }

  close(): void {
    this.#release();
    this.#packager?.close();
  }

  #plan(kind: TrackConfig['kind']): void {
    if (!this.#packager) return;
    this.#interleaver.flush();
    const source = this.#source[kind];
    const form = this.#form[kind];
    const was = this.#conversions[kind];
    const isKnown = this.#announced[kind] !== undefined;
    was?.close();
    this.#conversions[kind] = undefined;
    const args = source && form && !isOfForm(source, form) ? conformArgs(form) : undefined;
    if (source && args && this.#failed[kind] !== form) {
      this.#configs[kind] = undefined;
      this.#announced[kind] = undefined;
      this.#conversions[kind] = new Conversion(
        {
          source,
          args: () => args,
          recent: () => (kind === 'video' ? this.#source.cached().filter((frame) => frame.kind === 'video') : []),
          mostLateMs: Number.POSITIVE_INFINITY,
          // Frames left out here would be a hole in the stream.
          mostFramesInside: (mostLateMs * mostFps) / 1000,
          onConfig: (config) => this.#say(config),
          onFrame: (frame) => this.#onConverted(frame),
        },
        this.#context,
      );
    }
    if (was || this.#conversions[kind]) {
      this.#interleaver.close();
      this.#interleaver = this.#interleaverFor(this.#conversions.video);
    }
    // An encoder takes its time, so frames come at other moments than before.
    if (isKnown && (was !== undefined) !== (this.#conversions[kind] !== undefined)) this.onDiscontinuity();
    if (source && !this.#conversions[kind]) this.#say(source);
  }

  #giveUp(kind: TrackConfig['kind'], failure: string): void {
    this.#context.log.warn({ track: kind, reason: failure }, 'an input is not re-encoded, it passes as it is');
    this.#failed[kind] = this.#form[kind];
    this.#plan(kind);
  }

  /** Audio is not announced before the first converted picture: without it the input would look like one without video. */
  #say(config: TrackConfig): void {
    this.#configs[config.kind] = config;
    if (this.#conversions.video && !this.#configs.video) return;
    for (const kind of ['video', 'audio'] as const) {
      const known = this.#configs[kind];
      const before = this.#announced[kind];
      if (!known || (before && isSameDecoder(before, known))) continue;
      this.#announced[kind] = known;
      this.#packager?.onConfig(known);
    }
  }

  #onConverted(frame: MediaFrame): void {
    if (frame.dtsMs < this.#seamMs || this.#isSeam || !this.#source.isLive) return;
    if (frame.kind === 'audio' && this.#conversions.video) this.#interleaver.hold(frame);
    else this.#interleaver.converted(frame);
  }

  #interleaverFor(video: Conversion | undefined): Interleaver {
    const { limits } = this.#context;
    // The encoder that made the source may lack CPU time as well, with pictures that are still to come out.
    const patience = video ? { holdMs: mostLateMs, silentMs: mostLateMs } : {};
    return new Interleaver((frame) => this.#deliver(frame), { ...limits, ...patience });
  }

  #deliver(frame: MediaFrame): void {
    if (!this.#announced[frame.kind]) return;
    if (this.isConformed) this.#cache.push(frame);
    this.#packager?.onFrame(frame);
  }

  #release(): void {
    this.#interleaver.close();
    for (const kind of ['video', 'audio'] as const) {
      this.#conversions[kind]?.close();
      this.#conversions[kind] = undefined;
      this.#configs[kind] = undefined;
      this.#announced[kind] = undefined;
    }
    this.#cache.clear();
  }
}

/** Rates that differ by less are one: encoders write 29.97 and 30. */
const mostFpsApart = 0.5;
const usualFps = 25;
const mostFormFps = 120;

/** True for a track that needs no encoding to look like another: rates that are not known are equal. */
export function isOfForm(track: TrackConfig, form: TrackConfig): boolean {
  if (track.codec !== form.codec) return false;
  if (track.kind === 'video') {
    if (form.kind !== 'video' || track.width !== form.width || track.height !== form.height) return false;
    return track.fps === 0 || form.fps === 0 || Math.abs(track.fps - form.fps) < mostFpsApart;
  }
  return form.kind === 'audio' && track.sampleRate === form.sampleRate && track.channels === form.channels;
}

/** MPEG-TS with one track → the same in the form of another. Undefined of a form that is not encoded to. */
export function conformArgs(form: TrackConfig): string[] | undefined {
  return form.kind === 'video' ? videoArgs(form) : audioArgs(form);
}

function videoArgs(form: VideoConfig): string[] | undefined {
  const { codec, width, height, profile } = form;
  if ((codec !== 'h264' && codec !== 'h265') || width < 16 || height < 16) return undefined;
  const fps = form.fps > 0 && form.fps <= mostFormFps ? form.fps : 0;
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  const shape = `${fit},pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`;
  const kbps = bitrateFor(form, 0);
  const encoder =
    codec === 'h264'
      ? ['libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-profile:v', h264Profile(profile)]
      : ['libx265', '-preset', 'ultrafast', '-tune', 'zerolatency', '-x265-params', 'log-level=none:scenecut=0'];
  return filterArgs('video', [
    ...['-vf', fps > 0 ? `fps=${fps},${shape}` : shape, '-fps_mode', 'passthrough'],
    // Without a rate of its own the input keeps the times of its frames.
    ...(fps > 0 ? [] : ['-enc_time_base', '-1']),
    ...['-c:v', ...encoder, '-bf', '0'],
    // A short group: a failover begins at its keyframe.
    ...['-g', String(Math.round(fps || usualFps)), '-sc_threshold', '0'],
    ...['-b:v', `${kbps}k`, '-maxrate', `${Math.round(kbps * 1.2)}k`, '-bufsize', `${kbps}k`],
  ]);
}

function audioArgs({ codec, sampleRate, channels }: AudioConfig): string[] | undefined {
  if (channels < 1 || channels > 8 || (codec !== 'aac' && codec !== 'mp3')) return undefined;
  const encoder = codec === 'aac' ? ['aac', '-aac_coder', 'fast'] : ['libmp3lame'];
  const form = ['-ar', String(sampleRate), '-ac', String(channels)];
  return filterArgs('audio', ['-c:a', ...encoder, '-b:a', `${64 * Math.min(channels, 5)}k`, ...form]);
}
