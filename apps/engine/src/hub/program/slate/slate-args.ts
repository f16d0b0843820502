import { join } from 'node:path';
import { type AudioConfig, MalformedMedia, parseAudioSpecificConfig, type VideoConfig } from '@weir/media';
import { pictureLimit } from '@weir/process/picture-limit';

/** The form of a stream that a slate must have, so that it can be cut in and recorded with it. */
export interface SlateForm {
  readonly codec: VideoConfig['codec'];
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly profile: string;
}

/** The form of audio that music is encoded to. */
export interface MusicForm {
  readonly sampleRate: number;
  readonly channels: number;
}

const usualFps = 25;
/** Samples of an AAC frame. */
export const aacFrameSamples = 1024;
/** Pictures of a film between keyframes. */
const filmGroupSeconds = 2;

/** Undefined for a size that no encoder takes. */
export function slateFormOf({ codec, width, height, fps, profile }: VideoConfig): SlateForm | undefined {
  if (width < 16 || height < 16) return undefined;
  // Encoders want even sizes in the usual format of color.
  const even = (length: number) => Math.floor(length / 2) * 2;
  return { codec, width: even(width), height: even(height), fps: fps > 0 && fps <= 120 ? fps : usualFps, profile };
}

/** Undefined for audio that only silence is made for. */
export function musicFormOf({ codec, record, sampleRate, channels }: AudioConfig): MusicForm | undefined {
  if (codec !== 'aac') return undefined;
  try {
    const { objectType, frameSamples } = parseAudioSpecificConfig(record);
    return objectType === 2 && frameSamples === aacFrameSamples ? { sampleRate, channels } : undefined;
  } catch (error) {
    if (error instanceof MalformedMedia) return undefined;
    throw error;
  }
}

/** Encoders by codec, the better one first: not every ffmpeg has every one. */
export const slateEncoders: Readonly<Record<VideoConfig['codec'], readonly string[]>> = {
  h264: ['libx264'],
  h265: ['libx265'],
  av1: ['libsvtav1', 'libaom-av1'],
  vp9: ['libvpx-vp9'],
};

/** MPEG-TS carries the usual codecs, IVF the others. */
export function isTsCodec(codec: VideoConfig['codec']): boolean {
  return codec === 'h264' || codec === 'h265';
}

/** A file of the owner's picture, or `''` for the picture on standard input → groups of pictures on standard output. */
export function slateArgs(form: SlateForm, encoder: string, picture: string, directory: string): string[] {
  const { codec, width, height, fps } = form;
  const isFilm = picture.endsWith('.mkv');
  const group = Math.max(1, Math.round(fps * (isFilm ? filmGroupSeconds : 1)));
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  const shape = `${fit},pad=${width}:${height}:-1:-1:color=0x10151d,setsar=1,format=yuv420p`;
  const still = `loop=loop=-1:size=1:start=0,${shape},setpts=N/(${fps}*TB)`;
  const filter = isFilm ? `fps=${fps},${shape}` : still;
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'error', ...inputOf(picture, directory)],
    ...['-vf', filter, '-r', String(fps), ...(isFilm ? [] : ['-frames:v', String(group + 2)]), '-an'],
    ...encoderArgs(form, encoder, isFilm),
    ...['-g', String(group), '-keyint_min', String(group)],
    ...(isTsCodec(codec)
      ? ['-f', 'mpegts', '-pes_payload_size', '0', '-muxdelay', '0', '-muxpreload', '0', 'pipe:1']
      : ['-f', 'ivf', 'pipe:1']),
  ];
}

function inputOf(picture: string, directory: string): string[] {
  if (picture === '') return ['-f', 'png_pipe', '-i', 'pipe:0'];
  const demuxer = picture.endsWith('.mkv') ? 'matroska' : 'png_pipe';
  const path = `file:${join(directory, picture)}`;
  return ['-nostdin', '-protocol_whitelist', 'file', ...pictureLimit, '-f', demuxer, '-i', path];
}

function encoderArgs({ profile }: SlateForm, encoder: string, isFilm: boolean): string[] {
  const quality = ['-crf', isFilm ? '24' : '28'];
  const name = ['-c:v', encoder];
  switch (encoder) {
    case 'libx264': {
      const tune = isFilm ? [] : ['-tune', 'stillimage'];
      const preset = ['-preset', isFilm ? 'veryfast' : 'fast'];
      return [
        ...name,
        ...preset,
        ...tune,
        '-profile:v',
        h264Profile(profile),
        '-sc_threshold',
        '0',
        ...quality,
        '-bf',
        '0',
      ];
    }
    case 'libx265':
      return [
        ...[...name, '-preset', isFilm ? 'ultrafast' : 'fast', ...quality, '-bf', '0'],
        ...['-x265-params', 'log-level=none:bframes=0:scenecut=0:open-gop=0'],
      ];
    case 'libsvtav1':
      return [...name, '-preset', '10', '-crf', '40', '-svtav1-params', 'pred-struct=1'];
    case 'libaom-av1':
      return [...name, '-usage', 'realtime', '-cpu-used', '8', '-crf', '36', '-lag-in-frames', '0'];
    default:
      // Without frames that are decoded and not shown.
      return [
        ...[...name, '-deadline', 'realtime', '-cpu-used', '8', '-crf', '36', '-b:v', '0'],
        ...['-lag-in-frames', '0', '-auto-alt-ref', '0'],
      ];
  }
}

/** Name of a profile as x264 takes it. */
export function h264Profile(profile: string): string {
  if (/baseline/i.test(profile)) return 'baseline';
  return /high/i.test(profile) ? 'high' : 'main';
}

/**
 * Repeats the music three times and keeps the middle one, whose first and last frames were encoded with their neighbours. `frames`:
 * length of one repetition.
 */
export function musicArgs(
  { sampleRate, channels }: MusicForm,
  music: string,
  frames: number,
  directory: string,
): string[] {
  const path = `file:${join(directory, music)}`;
  const samples = frames * aacFrameSamples;
  const filter = `aresample=${sampleRate},atrim=end_sample=${samples},aloop=loop=2:size=${samples}:start=0`;
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'error', '-nostdin', '-protocol_whitelist', 'file', ...pictureLimit],
    ...['-f', 'flac', '-i', path, '-af', filter, '-vn', '-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', '128k'],
    ...['-ar', String(sampleRate), '-ac', String(channels), '-f', 'mpegts', 'pipe:1'],
  ];
}
