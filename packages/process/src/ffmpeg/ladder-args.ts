import type { LadderEncoder, LadderEncoding, LadderPreset, LadderRung } from '@weir/streams';
import { pictureLimit } from './picture-limit.ts';

const quiet = ['-hide_banner', '-nostats', '-loglevel'];
/** Probe limit of ffmpeg: ten packets, which are available at once. */
const probe = ['-probesize', '1880', '-analyzeduration', '0'];
/** Writes each frame at once in its own packet, with unchanged times. */
const output = ['-f', 'mpegts', '-pes_payload_size', '0', '-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1'];
/** Longer than any group of pictures: keyframes are those of the source, and no others. */
const longestGroup = '600';

/** Descriptor on which ffmpeg writes a rung: standard output, then those after standard error. */
const rungDescriptor = (index: number): number => (index === 0 ? 1 : index + 2);

const inputs = [...probe, '-threads', '1', ...pictureLimit, '-f', 'mpegts', '-i', 'pipe:0'];
/** Makes ffmpeg print the CPU time of the run at its end. */
const measured = ['info', '-benchmark'];

/** MPEG-TS with one track of video on standard input → MPEG-TS with one rung on each descriptor, with unchanged times. */
export function ladderArgs(encoding: LadderEncoding, { isMeasured = false } = {}): string[] {
  const outputs = encoding.rungs.flatMap((rung, index) => [
    ...rungArgs(encoding, rung, index),
    ...output,
    `pipe:${rungDescriptor(index)}`,
  ]);
  const start = [...quiet, ...(isMeasured ? measured : ['error']), ...deviceArgs(encoding)];
  return [...start, ...inputs, '-copyts', ...filterArgs(encoding), ...outputs];
}

/** Arguments for a measured run that only decodes. */
export function ladderDecodeArgs(): string[] {
  return [...quiet, ...measured, ...inputs, '-map', '0:v:0', '-f', 'null', '-'];
}

/** CPU time in ms that a measured run had, from its last words; undefined where they are missing. */
export function measuredCpuMs(said: readonly string[]): number | undefined {
  const found = said.map((line) => /utime=([\d.]+)s stime=([\d.]+)s/.exec(line)).findLast((match) => match !== null);
  return found ? (Number(found[1]) + Number(found[2])) * 1000 : undefined;
}

/** A moment with a keyframe every fifth frame as MPEG-TS, by an encoder that every ffmpeg has: input for tests of encoders. */
export function ladderTestFilmArgs(): string[] {
  const film = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=0.8'];
  return [...quiet, 'error', ...film, '-c:v', 'mpeg2video', '-g', '5', '-bf', '0', '-q:v', '4', ...output, 'pipe:1'];
}

function deviceArgs({ encoder, device }: LadderEncoding): string[] {
  return encoder === 'h264_vaapi' ? ['-vaapi_device', device] : [];
}

/** Filter that decodes once and scales for every rung. */
function filterArgs({ encoder, rungs }: LadderEncoding): string[] {
  const names = rungs.map((_, index) => `[s${index}]`).join('');
  const upload = encoder === 'h264_vaapi' ? ',format=nv12,hwupload' : '';
  const scales = rungs.map(({ lines }, index) => `[s${index}]${scaleTo(lines)}${upload}[v${index}]`);
  return ['-filter_complex', [`[0:v:0]split=${rungs.length}${names}`, ...scales].join(';')];
}

/** The shorter side gets this many lines, so that a film on a phone is scaled upright. */
function scaleTo(lines: number): string {
  const size = `w='if(gte(iw,ih),-2,${lines})':h='if(gte(iw,ih),${lines},-2)'`;
  return `scale=${size}:flags=bilinear,setsar=1`;
}

function rungArgs({ encoder, preset }: LadderEncoding, { kbps }: LadderRung, index: number): string[] {
  const rate = [`${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`];
  // Times of the source, and not of its nominal frame grid: keyframes would be at other times than the source's.
  const times = ['-force_key_frames', 'source', '-fps_mode', 'passthrough', '-enc_time_base', '-1'];
  const codec = ['-map', `[v${index}]`, '-c:v', encoder, ...encoderArgs(encoder, preset)];
  return [...codec, '-g', longestGroup, '-bf', '0', '-b:v', ...rate, ...times];
}

/** No B-frames and no look-ahead: two frames of delay. Forced keyframes must be such that a decoder can begin there. */
function encoderArgs(encoder: LadderEncoder, preset: LadderPreset): string[] {
  switch (encoder) {
    case 'libx264': {
      const form = ['-profile:v', 'main', '-pix_fmt', 'yuv420p', '-sc_threshold', '0'];
      return ['-preset', preset, '-tune', 'zerolatency', ...form];
    }
    case 'libx265': {
      // Without min-keyint forced keyframes are lost within 60 frames.
      const parameters = `log-level=error:keyint=${longestGroup}:min-keyint=1:scenecut=0:bframes=0`;
      return ['-preset', preset, '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-x265-params', parameters];
    }
    case 'h264_nvenc':
      return words('-preset p4 -tune ull -rc cbr -zerolatency 1 -forced-idr 1 -no-scenecut 1');
    case 'h264_qsv':
      return words('-preset veryfast -async_depth 1 -look_ahead 0 -forced_idr 1 -pix_fmt nv12');
    case 'h264_vaapi':
      return ['-profile:v', 'main', '-async_depth', '1'];
    case 'h264_videotoolbox':
      return ['-profile:v', 'main', '-realtime', '1', '-pix_fmt', 'yuv420p'];
    case 'h264_v4l2m2m':
      return ['-pix_fmt', 'yuv420p'];
  }
}

const words = (text: string): string[] => text.split(' ');
