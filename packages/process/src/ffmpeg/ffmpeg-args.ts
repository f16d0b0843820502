import { type HiddenOptions, hiddenPath } from './hidden-options.ts';
import { rebuildAddress } from './input-address.ts';
import { pictureLimit } from './picture-limit.ts';

/**
 * Arguments of ffmpeg. Arrays, never a shell line. Foreign text follows an option that takes a value, or starts with a scheme, so that it
 * cannot become an option.
 */

/** Input of ffmpeg. `live` arrives at its own pace; files are looped at their native rate. */
export type Input =
  | {
      readonly kind: 'live';
      readonly url: string;
      /** More of ffmpeg's input options. */
      readonly options?: readonly string[];
      /** A track that cannot be read is a failure. Else ffmpeg would leave it out and go on, with sound and no pictures. */
      readonly isWhole?: boolean;
    }
  | { readonly kind: 'file'; readonly path: string }
  /** A list in ffmpeg's concat format, made by `concatList`. */
  | { readonly kind: 'file-list'; readonly path: string };

/** Output address, or one with its secrets kept apart (`Prepared.hidden`). */
export type Output = string | { readonly url: string; readonly hidden: HiddenOptions };

interface Encoding {
  readonly profile: string;
  readonly preset: string;
  readonly videoKbps: number;
  readonly audioKbps: number;
  /** 0 keeps those of the source. */
  readonly channels: number;
}

/** Seconds between key frames of what we encode: what players and HLS segments like. */
const gopSeconds = 2;

/** The first seconds of an input's video as they are, as MPEG-TS to standard output. */
export function sampleArgs(from: Input, seconds: number): string[] {
  const output = ['-f', 'mpegts', '-muxdelay', '0', 'pipe:1'];
  return [...inputArgs(from), '-map', '0:v:0', '-t', String(seconds), '-c', 'copy', ...output];
}

/** Passes media on as it is. `audio`: sound that no output carries is encoded anew. */
export function relayArgs({ from, to, audio }: { from: Input; to: Output; audio?: 'aac' }): string[] {
  const sound = audio === 'aac' ? ['-c:a', 'aac', '-ar', '44100', '-b:a', '64k'] : [];
  return [...pacedArgs(from), ...trackArgs(from), '-c', 'copy', ...sound, ...outputArgs(to)];
}

/** Input at its native rate. A playlist delivers whole segments, which players of the output would get as bursts seconds apart. */
function pacedArgs(from: Input): string[] {
  return from.kind === 'live' && isPlaylist(from.url) ? ['-re', ...inputArgs(from)] : inputArgs(from);
}

/** An address of HLS. */
export function isPlaylist(url: string): boolean {
  return schemeOf(url).startsWith('http') && /\.m3u8/i.test(url);
}

/** Copies video, and replaces audio with silence. */
export function silentAudioArgs({ from, to }: { from: Input; to: Output }): string[] {
  return [
    ...pacedArgs(from),
    '-f',
    'lavfi',
    '-i',
    'anullsrc=channel_layout=stereo:sample_rate=44100',
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c:v',
    'copy',
    '-c:a',
    'aac',
    '-ac',
    '2',
    '-ar',
    '44100',
    '-b:a',
    '20k',
    // Silence never ends by itself.
    '-shortest',
    ...outputArgs(to),
  ];
}

/** Encodes anew at the source's own frame rate, with pictures that refer to no later ones (WebRTC shows no others). */
export function transcodeArgs({ from, to, encoding }: { from: Input; to: Output; encoding: Encoding }): string[] {
  const { profile, preset, videoKbps, audioKbps, channels } = encoding;
  return [
    ...inputArgs(from),
    ...trackArgs(from),
    '-c:v',
    'libx264',
    '-profile:v',
    profile,
    '-preset:v',
    preset,
    '-tune',
    'zerolatency',
    // 4:2:0 chroma, which every profile and every browser can show.
    '-pix_fmt',
    'yuv420p',
    // Peaks are bounded too: with an average alone a still picture saves up for a burst that lines cannot carry.
    '-b:v',
    `${videoKbps}k`,
    '-maxrate',
    `${videoKbps}k`,
    '-bufsize',
    `${videoKbps}k`,
    // Keyframes are forced by time, not by frame count, because the frame rate of the source may vary.
    '-force_key_frames',
    `expr:gte(t,n_forced*${gopSeconds})`,
    '-bf',
    '0',
    // Each picture at its own time: the source's nominal frame grid is up to half a frame away from it.
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '-1',
    '-c:a',
    'aac',
    '-b:a',
    `${audioKbps}k`,
    ...(channels > 0 ? ['-ac', String(channels)] : []),
    ...outputArgs(to),
  ];
}

/** PCM format of `speechArgs`: samples per second, one channel, two bytes each. */
const speechRate = 16_000;
/** Samples per piece, a twentieth of a second: no piece waits longer than that to be full. */
const speechPiece = speechRate / 20;

/**
 * The sound of an input for whoever listens to speech, to standard output: PCM without gaps, each piece with its time on the
 * input's own clock. Matroska is the smallest container that keeps both; a cluster per piece, because a cluster is written whole.
 */
export function speechArgs({ from }: { from: Input }): string[] {
  return ['-copyts', ...inputArgs(from), ...speechOutput];
}

/** The same of a segment, as fast as it goes. */
export function segmentSpeechArgs(file: string, demuxer: string): string[] {
  const input = ['-protocol_whitelist', 'file', ...pictureLimit, '-f', demuxer, '-i', `file:${file}`];
  return ['-nostdin', '-copyts', ...input, ...speechOutput];
}

const speechOutput = [
  '-map',
  '0:a:0',
  '-vn',
  // Gaps become silence, so that counting samples gives the time. By itself ffmpeg leaves a tenth of a second as it is: half a frame at each
  // switch of a program adds up to that.
  '-af',
  `aresample=${speechRate}:async=1:min_hard_comp=0.03,aformat=sample_fmts=s16:channel_layouts=mono,asetnsamples=n=${speechPiece}:p=0`,
  '-c:a',
  'pcm_s16le',
  '-avoid_negative_ts',
  'disabled',
  '-flush_packets',
  '1',
  '-f',
  'matroska',
  '-live',
  '1',
  '-cluster_time_limit',
  '1',
  'pipe:1',
];

function trackArgs(input: Input): string[] {
  return input.kind === 'live' && input.isWhole ? ['-map', '0:v?', '-map', '0:a?'] : [];
}

function inputArgs(input: Input): string[] {
  if (input.kind === 'file') {
    return [...fileOptions, '-stream_loop', '-1', '-re', '-i', `file:${input.path}`];
  }
  if (input.kind === 'file-list') {
    const format = ['-format_whitelist', `concat,${fileFormats}`, '-f', 'concat', '-safe', '0'];
    return [
      '-protocol_whitelist',
      'file',
      ...pictureLimit,
      ...format,
      '-stream_loop',
      '-1',
      '-re',
      '-i',
      `file:${input.path}`,
    ];
  }
  const url = rebuildAddress(input.url);
  return [...liveInputOptions(url), ...(input.options ?? []), '-i', url];
}

/** Accepted containers of files. Playlists are not accepted, because ffmpeg would open the addresses in them. */
const fileFormats = 'mov,flv,mpegts,matroska,mp3,aac';

/** Shared with ffprobe. A file refers to nothing else. */
export const fileOptions = ['-protocol_whitelist', 'file', '-format_whitelist', fileFormats, ...pictureLimit];

/** Options for reading a still picture: the demuxer is named, so that the file is nothing else. Undefined for other files. */
export function stillOptions(path: string): readonly string[] | undefined {
  const demuxer = /\.png$/.test(path) ? 'png_pipe' : /\.jpe?g$/.test(path) ? 'jpeg_pipe' : undefined;
  return demuxer && ['-protocol_whitelist', 'file', ...pictureLimit, '-f', demuxer];
}

/**
 * Plain HTTP only, which goes through a proxy of ours that speaks TLS where it is wanted: with TLS of its own ffmpeg needs
 * `httpproxy` on this list, and a playlist that names that leads past the proxy.
 */
const httpProtocols = 'http,tcp,crypto';

/** Protocols that an input of a kind needs, and no other: what it refers to (playlists do) may not be anything. */
const inputProtocols: ReadonlyMap<string, string> = new Map([
  ['rtmp', 'rtmp,tcp'],
  // With a tunnel through the proxy. RTMP refers to nothing else.
  ['rtmps', 'rtmps,rtmp,tls,httpproxy,tcp'],
  ['rtsp', 'rtsp,tcp'],
  ['rtsps', 'rtsps,rtsp,tls,tcp'],
  ['srt', 'srt'],
  ['http', httpProtocols],
  ['https', httpProtocols],
]);

/** A file over HTTP may be a playlist or manifest that names other protocols: only these are allowed. */
const httpFormats = ['-format_whitelist', `hls,${fileFormats}`];

/** Shared with ffprobe, so that what was probed is what is played. Throws for a scheme that is no live input. */
export function liveInputOptions(url: string): string[] {
  const scheme = schemeOf(url);
  const protocols = inputProtocols.get(scheme);
  if (protocols === undefined) throw new Error(`unsupported input scheme ${scheme || '(none)'}`);
  // Over UDP every lost packet is a broken picture.
  const formats = protocols === httpProtocols ? httpFormats : [];
  return [
    '-protocol_whitelist',
    protocols,
    ...formats,
    ...pictureLimit,
    ...(scheme.startsWith('rtsp') ? ['-rtsp_transport', 'tcp'] : []),
  ];
}

const flv = ['-f', 'flv', '-flvflags', 'no_duration_filesize'];
const outputFormats: ReadonlyMap<string, readonly string[]> = new Map([
  ['rtmp', flv],
  ['rtmps', flv],
  ['srt', ['-pes_payload_size', '0', '-f', 'mpegts']],
]);

/** Container by scheme. Anything else than these, a path above all, is no place for a stream. */
function outputArgs(to: Output): string[] {
  const { url, hidden } = typeof to === 'string' ? { url: to, hidden: [] } : to;
  const format = outputFormats.get(schemeOf(url));
  if (format === undefined) throw new Error('the output must be an rtmp, rtmps or srt URL');
  return [...format, ...(hidden.length > 0 ? ['-fpre', hiddenPath] : []), url];
}

/** `{server}/{key}`: a slash between them unless one is there. */
export function outputAddress(server: string, secret: string): string {
  const isJoined = secret === '' || server === '' || server.endsWith('/') || secret.startsWith('/');
  return isJoined ? server + secret : `${server}/${secret}`;
}

/** In lower case; empty where there is none. */
function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? '';
}

/** Entry of `concatList`. `seconds`: start of the next entry; by default the duration that the file itself claims. */
interface ConcatEntry {
  readonly path: string;
  readonly seconds?: number;
}

/** Text of a list for ffmpeg's concat format: files played one after the other. */
export function concatList(entries: readonly ConcatEntry[]): string {
  const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;
  const lines = entries.map(({ path, seconds }) => {
    if (/[\r\n\0]/.test(path)) throw new Error('the path contains a line break');
    return `file ${quoted(`file:${path}`)}\n${seconds === undefined ? '' : `duration ${seconds.toFixed(3)}\n`}`;
  });
  return `ffconcat version 1.0\n${lines.join('')}`;
}
