import type { DubbingProject } from '@weir/contract';
import { voiceRate } from '../film/film-files.ts';

/** As most services want what they publish to sound (EBU R128, in LUFS and dB). */
const targetLoudness = -16;
/** A voice so quiet is noise; making it loud would not make it speech. */
const mostGainDb = 24;
const limiter = 'alimiter=limit=0.89:level=false';
const even = 'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo';

function trackInput(path: string): string[] {
  return ['-f', 's16le', '-ar', String(voiceRate), '-ac', '1', '-i', `file:${path}`];
}

/** Measures only; the answer is on standard error. */
export function measureArgs(track: string): string[] {
  const filter = `loudnorm=I=${targetLoudness}:print_format=json`;
  return ['-nostdin', '-hide_banner', '-nostats', ...trackInput(track), '-af', filter, '-f', 'null', '-'];
}

/** By how much the voices are raised, all alike: a filter that follows the loudness would pump in the pauses. */
export function readGainDb(said: string): number {
  const [, text] = /"input_i"\s*:\s*"(-?[\d.]+)"/.exec(said) ?? [];
  const loudness = Number(text ?? Number.NaN);
  if (!Number.isFinite(loudness) || loudness < -60) return 0;
  return Math.min(mostGainDb, Math.round((targetLoudness - loudness) * 10) / 10);
}

interface Mix {
  readonly film: string;
  readonly fileOptions: readonly string[];
  readonly track: string;
  readonly gainDb: number;
  readonly project: Pick<DubbingProject, 'background' | 'format' | 'video'>;
  /** In the film's own language and in the other one; with three letters each. */
  readonly subtitles: readonly { readonly path: string; readonly language: string }[];
  readonly output: string;
}

/** The film with its voices: pictures as they are, sound by `background`, what is said as tracks of subtitles. */
export function mixArgs({ film, fileOptions, track, gainDb, project, subtitles, output }: Mix): string[] {
  const { format, video, background } = project;
  const voices = `[1:a]volume=${gainDb}dB,${limiter},${even}`;
  const graph =
    background === 'ducked'
      ? [
          `${voices},asplit[key][voices]`,
          `[0:a:0]${even}[film]`,
          '[film][key]sidechaincompress=threshold=0.015:ratio=12:attack=30:release=600[low]',
          `[low][voices]amix=inputs=2:duration=longest:normalize=0,${limiter}[out]`,
        ].join(';')
      : `${voices}[out]`;
  return [
    ...['-nostdin', '-y', '-v', 'error', '-progress', 'pipe:1', ...fileOptions, '-i', `file:${film}`],
    ...trackInput(track),
    ...subtitles.flatMap(({ path }) => ['-f', 'srt', '-i', `file:${path}`]),
    ...['-filter_complex', graph],
    ...(format?.has_video
      ? ['-map', '0:v:0', '-c:v', 'copy', ...(video?.codec_name === 'hevc' ? ['-tag:v', 'hvc1'] : [])]
      : []),
    ...['-map', '[out]', '-c:a', 'aac', '-b:a', '160k', '-ac', '2', '-ar', '48000'],
    ...subtitles.flatMap(({ language }, at) => ['-map', `${at + 2}:s`, `-metadata:s:s:${at}`, `language=${language}`]),
    ...(subtitles.length > 0 ? ['-c:s', 'mov_text'] : []),
    ...['-movflags', '+faststart', '-f', 'mp4', output],
  ];
}
