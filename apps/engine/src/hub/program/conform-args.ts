import type { AudioConfig, TrackConfig, VideoConfig } from '@weir/media';
import { bitrateFor, filterArgs } from '../player-views/ffmpeg-args.ts';
import { h264Profile } from './slate/slate-args.ts';

/** Rates that differ by less are one: encoders write 29.97 and 30. */
const mostFpsApart = 0.5;
const usualFps = 25;
const mostFps = 120;

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
  const fps = form.fps > 0 && form.fps <= mostFps ? form.fps : 0;
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
