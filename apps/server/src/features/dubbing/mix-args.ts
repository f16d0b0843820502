import { type DubbingProject, dubbingDucking, dubbingLimits } from '@weir/contract';
import { voiceRate } from './film/film-files.ts';

/** Target loudness of common publishing platforms (EBU R128, in LUFS and dB). */
const targetLoudness = -16;
/** A voice so quiet is noise; making it loud would not make it speech. Of a film's own sound the quiet is part of it. */
const mostGainDb = { voices: 24, film: 6 } as const;
const limiter = 'alimiter=limit=0.89:level=false';
const even = 'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo';
/** Signal of constant level during speech, so that the film is lowered equally for every word. */
export const duckingKey = { rate: 4000, level: 0.25 } as const;
const duckingRatio = 20;

type Graph = readonly string[];

interface Tracks {
  readonly film: string;
  readonly fileOptions: readonly string[];
  /** Mixes the voices, and the signal that marks speech. */
  readonly voices: string;
  readonly key: string;
  readonly background: DubbingProject['background'];
}

/** By how much each is raised, in dB: `mix` is what is left to do when all of it is put together. */
interface Gains {
  readonly voices: number;
  readonly film: number;
  readonly mix: number;
}
export const noGains: Gains = { voices: 0, film: 0, mix: 0 };

function inputsOf({ film, fileOptions, voices, key }: Tracks): string[] {
  const pcm = (rate: number, path: string) => ['-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', `file:${path}`];
  // Gaps are filled, and the times of a few packets may claim years of them.
  const most = ['-t', String(dubbingLimits.filmSeconds)];
  return [...fileOptions, ...most, '-i', `file:${film}`, ...pcm(voiceRate, voices), ...pcm(duckingKey.rate, key)];
}

const voicesGraph = ({ voices }: Gains) => `[1:a]volume=${voices}dB,${limiter},${even}`;

/** Mix of all audio before the final loudness change. */
function heardGraph({ background }: Tracks, gains: Gains): Graph {
  if (background === 'off') return [`${voicesGraph(gains)}[heard]`];
  const { gain, attackMs, releaseMs } = dubbingDucking;
  const threshold = duckingKey.level * gain ** (1 / (1 - 1 / duckingRatio));
  const options = `threshold=${threshold.toFixed(4)}:ratio=${duckingRatio}:attack=${attackMs}:release=${releaseMs}`;
  return [
    `${voicesGraph(gains)}[voices]`,
    // Full level on both channels; a plain upmix would halve it.
    `[2:a]aresample=48000:async=1:first_pts=0,pan=stereo|c0=c0|c1=c0,aformat=sample_fmts=fltp[key]`,
    `[0:a:0]volume=${gains.film}dB,${even}[film]`,
    `[film][key]sidechaincompress=${options}:detection=peak[low]`,
    '[low][voices]amix=inputs=2:duration=longest:normalize=0[heard]',
  ];
}

/** Measures how loud something is, as it will be heard; the answer is on standard error. */
export function measureArgs(tracks: Tracks, what: keyof Gains, gains: Gains): string[] {
  const meter = 'ebur128=framelog=verbose';
  const graph = {
    voices: [`${voicesGraph(gains)},${meter}[out]`],
    film: [`[0:a:0]${even},${meter}[out]`],
    mix: [...heardGraph(tracks, gains), `[heard]${meter}[out]`],
  }[what];
  const output = ['-map', '[out]', '-f', 'null', '-'];
  return [
    '-nostdin',
    '-hide_banner',
    '-nostats',
    '-progress',
    'pipe:1',
    ...inputsOf(tracks),
    '-filter_complex',
    graph.join(';'),
    ...output,
  ];
}

/** By how much it is to be raised, all of it alike: a filter that follows the loudness would pump in the pauses. */
export function readGainDb(said: string, what: keyof Gains): number {
  const [, text] = [...said.matchAll(/\bI:\s+(-?[\d.]+) LUFS/g)].at(-1) ?? [];
  const loudness = Number(text ?? Number.NaN);
  if (!Number.isFinite(loudness) || loudness < -60) return 0;
  const most = what === 'film' ? mostGainDb.film : mostGainDb.voices;
  return Math.min(most, Math.round((targetLoudness - loudness) * 10) / 10);
}

interface Mix extends Tracks {
  readonly gains: Gains;
  readonly project: Pick<DubbingProject, 'format' | 'video'>;
  /** In the film's own language and in the other one; with three letters each. */
  readonly subtitles: readonly { readonly path: string; readonly language: string }[];
  readonly output: string;
}

/** The film with its voices: pictures as they are, sound by `background`, what is said as tracks of subtitles. */
export function mixArgs({ gains, project: { format, video }, subtitles, output, ...tracks }: Mix): string[] {
  const graph = [...heardGraph(tracks, gains), `[heard]volume=${gains.mix}dB,${limiter}[out]`];
  const firstSubtitle = 3;
  return [
    '-nostdin',
    '-y',
    '-v',
    'error',
    '-progress',
    'pipe:1',
    ...inputsOf(tracks),
    ...subtitles.flatMap(({ path }) => ['-f', 'srt', '-i', `file:${path}`]),
    '-filter_complex',
    graph.join(';'),
    ...(format?.has_video
      ? ['-map', '0:v:0', '-c:v', 'copy', ...(video?.codec_name === 'hevc' ? ['-tag:v', 'hvc1'] : [])]
      : []),
    '-map',
    '[out]',
    '-c:a',
    'aac',
    '-b:a',
    '160k',
    '-ac',
    '2',
    '-ar',
    '48000',
    ...subtitles.flatMap(({ language }, at) => [
      '-map',
      `${at + firstSubtitle}:s`,
      `-metadata:s:s:${at}`,
      `language=${language}`,
    ]),
    ...(subtitles.length > 0 ? ['-c:s', 'mov_text'] : []),
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    output,
    // ffmpeg starts the clock of a transport stream with the streams in use, so the same streams as at extraction are
    // mapped.
    ...(format?.has_video ? ['-map', '0:a:0', '-c:a', 'copy', '-f', 'null', '-'] : []),
  ];
}
