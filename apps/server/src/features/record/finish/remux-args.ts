import { pictureLimit } from '@weir/process/picture-limit';
import { trackLanguage } from '../../../speech/track-language.ts';
import type { commonTracks, Tracks } from './tracks.ts';

const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin'];
/** Playlists are ours, and name files beside them; nothing else may be opened. */
const filesOnly = ['-protocol_whitelist', 'file'];
/** Options for untrusted media. */
const mediaInput = [...filesOnly, ...pictureLimit];
const progress = ['-progress', 'pipe:1', '-nostats'];

interface Remux {
  /** A playlist of one continuous run, or the list of several. */
  readonly input: string;
  readonly isList: boolean;
  readonly isHevc: boolean;
  /** A file of SubRip that becomes a track. */
  readonly subtitles: string | undefined;
  /** Language of the subtitles; empty if unknown. */
  readonly language: string;
  readonly output: string;
}

/** Segments to one mp4 that plays before it is loaded whole; not a picture is coded again. */
export function remuxArgs({ input, isList, isHevc, subtitles, language, output }: Remux): string[] {
  return [
    ...quiet,
    ...mediaInput,
    '-f',
    isList ? 'concat' : 'hls',
    '-i',
    input,
    ...(subtitles === undefined ? [] : [...filesOnly, '-f', 'srt', '-i', subtitles]),
    '-map',
    '0:v:0?',
    '-map',
    '0:a:0?',
    '-c',
    'copy',
    ...(subtitles === undefined
      ? []
      : ['-map', '1:s:0', '-c:s', 'mov_text', '-metadata:s:s:0', `language=${trackLanguage(language)}`]),
    // Apple's players know HEVC in mp4 by this name only.
    ...(isHevc ? ['-tag:v', 'hvc1'] : []),
    '-movflags',
    '+faststart',
    ...progress,
    '-f',
    'mp4',
    '-y',
    output,
  ];
}

interface Conversion {
  readonly input: string;
  readonly output: string;
  readonly durationMs: number;
  readonly tracks: Tracks;
  readonly common: ReturnType<typeof commonTracks>;
}

/**
 * Converts a run to the common format: one video size, one audio format; black and silence where a track is missing.
 */
export function conversionArgs({
  input,
  output,
  durationMs,
  tracks,
  common: { size, hasAudio },
}: Conversion): string[] {
  const sources = ['-f', 'hls', '-i', input];
  const maps: string[] = [];
  if (size) {
    const area = `${size.width}:${size.height}`;
    if (!tracks.video) sources.push('-f', 'lavfi', '-i', `color=black:size=${size.width}x${size.height}:rate=25`);
    const fit = `scale=${area}:force_original_aspect_ratio=decrease,pad=${area}:(ow-iw)/2:(oh-ih)/2,setsar=1`;
    maps.push('-map', tracks.video ? '0:v:0' : '1:v:0', '-vf', `${fit},format=yuv420p`);
    maps.push('-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21');
  }
  if (hasAudio) {
    if (!tracks.audio) sources.push('-f', 'lavfi', '-i', 'anullsrc=sample_rate=48000:channel_layout=stereo');
    maps.push('-map', tracks.audio ? '0:a:0' : '1:a:0', '-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2');
  }
  const length = ['-t', (durationMs / 1000).toFixed(3)];
  return [...quiet, ...mediaInput, ...sources, ...maps, ...length, ...progress, '-f', 'mpegts', '-y', output];
}

/** The first whole picture of a playlist, small. */
export function thumbnailArgs(input: string, output: string): string[] {
  return [
    ...quiet,
    ...mediaInput,
    '-skip_frame',
    'nokey',
    '-f',
    'hls',
    '-i',
    input,
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-vf',
    'scale=480:-2',
    '-q:v',
    '5',
    '-f',
    'mjpeg',
    '-y',
    output,
  ];
}

export function probeArgs(input: string, demuxer: string): string[] {
  const entries = 'stream=codec_type,codec_name,width,height,sample_rate,channels';
  return ['-v', 'error', ...mediaInput, '-f', demuxer, '-show_entries', entries, '-of', 'json', input];
}

/** Several publications in sequence, each with its own clock. */
export function runList(runs: readonly { readonly name: string; readonly durationMs: number }[]): string {
  const lines = runs.map(({ name, durationMs }) => `file ${name}\nduration ${(durationMs / 1000).toFixed(3)}`);
  return `ffconcat version 1.0\n${lines.join('\n')}\n`;
}
