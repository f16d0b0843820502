import type { VideoConfig } from '@weir/media';

/** Probe limit of ffmpeg: ten packets, which are available at once. */
const probe = ['-probesize', '1880', '-analyzeduration', '0'];
/** Writes each frame at once in its own packet, with unchanged times. */
const output = ['-copyts', '-f', 'mpegts', '-pes_payload_size', '0', '-muxdelay', '0', '-muxpreload', '0'];
const flush = ['-flush_packets', '1', 'pipe:1'];
/** Times of the source, and not of its nominal frame grid, which is up to half a frame away from them. */
const sourceTimes = ['-fps_mode', 'passthrough', '-enc_time_base', '-1'];
const quiet = ['-hide_banner', '-nostats', '-loglevel', 'error'];

/** MPEG-TS with one track of sound → the same with AAC. */
export function aacArgs(): string[] {
  return soundArgs(['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '128k', '-ar', '48000', '-ac', '2']);
}

/**
 * MPEG-TS with one track of sound → the same with Opus. Browsers hold video back for its sound: packets of 10 ms without the
 * encoder's look-ahead for speech leave 14 ms earlier than the usual ones of 20 ms.
 */
export function opusArgs(): string[] {
  const opus = ['-c:a', 'libopus', '-b:a', '96k', '-frame_duration', '10', '-application', 'lowdelay'];
  return soundArgs([...opus, '-ar', '48000', '-ac', '2']);
}

function soundArgs(encoder: readonly string[]): string[] {
  return filterArgs('audio', encoder);
}

/** MPEG-TS with one track on standard input → the same on standard output, encoded as told, with unchanged times. */
export function filterArgs(kind: 'video' | 'audio', encoder: readonly string[]): string[] {
  const from = ['-f', 'mpegts', '-i', 'pipe:0'];
  // Decoding on several threads would hold one picture back for each of them.
  const input =
    kind === 'audio'
      ? ['-flags', 'low_delay', ...from, '-map', '0:a:0']
      : ['-threads', '1', '-max_pixels', String(mostPixels), ...from, '-map', '0:v:0'];
  return [...quiet, ...probe, ...input, ...encoder, ...output, ...flush];
}

/** A new group of pictures at least this often, so that viewers can join. */
const groupSeconds = 2;
const usualFps = 30;
/** 4096 × 2304. Larger ones are refused before they take the memory of the machine. */
const mostPixels = 4096 * 2304;

/** MPEG-TS with H.264 → the same in an order that browsers can show: no picture refers to a later one. */
export function plainH264Args({ fps }: Pick<VideoConfig, 'fps'>, bitrateKbps: number): string[] {
  const rate = [`${bitrateKbps}k`, '-maxrate', `${Math.round(bitrateKbps * 1.2)}k`, '-bufsize', `${bitrateKbps}k`];
  const group = String(Math.max(1, Math.round(groupSeconds * (fps > 0 && fps <= 120 ? fps : usualFps))));
  const encoder = ['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-profile:v', 'baseline'];
  const form = ['-pix_fmt', 'yuv420p', '-g', group, '-force_key_frames', 'source', ...sourceTimes];
  return filterArgs('video', [...encoder, ...form, '-b:v', ...rate]);
}

const leastKbps = 400;
const mostKbps = 8000;
/** Bits for a pixel of a second, where the source's rate is not known. */
const bitsPerPixel = 0.08;

/** Like the source; a little more, since a simpler profile needs it to look the same. */
export function bitrateFor({ width, height, fps }: VideoConfig, sourceKbps: number): number {
  const guess = (width * height * (fps > 0 ? fps : usualFps) * bitsPerPixel) / 1000;
  const wanted = sourceKbps > 0 ? sourceKbps * 1.15 : guess;
  return Math.round(Math.min(mostKbps, Math.max(leastKbps, wanted)));
}
