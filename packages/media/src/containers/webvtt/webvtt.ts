import { to90k, wrap33 } from '../mpegts/timestamps.ts';

interface VttCue {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Lines are parted by single line feeds. */
  readonly text: string;
}

/**
 * A WebVTT file. With `atMs` a segment of HLS: its times are those of the media, whose timestamps count from the same zero in 90 kHz
 * and begin anew every 26 hours, so the map (RFC 8216, 3.5) is given at the beginning of the segment.
 */
export function webVtt(cues: Iterable<VttCue>, atMs?: number): string {
  const localMs = Math.floor(atMs ?? 0);
  const map = `X-TIMESTAMP-MAP=LOCAL:${vttTime(localMs)},MPEGTS:${wrap33(to90k(localMs))}\n`;
  let text = `WEBVTT\n${atMs === undefined ? '' : map}`;
  for (const cue of [...cues].sort((a, b) => a.startMs - b.startMs))
    text += `\n${cue.id}\n${vttTime(cue.startMs)} --> ${vttTime(cue.endMs)}\n${escaped(cue.text)}\n`;
  return text;
}

function vttTime(ms: number): string {
  const whole = Math.round(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(whole / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}.${String(whole % 1000).padStart(3, '0')}`;
}

/** No text is a tag, and none is an arrow. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
