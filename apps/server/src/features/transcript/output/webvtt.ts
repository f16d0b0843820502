import { wrappedMs } from '../../../pipelines/segment-start.ts';
import type { Cue } from '../../../speech/cue.ts';
import { type SegmentRow, shownCues } from '../pipeline/segment-row.ts';

/**
 * The text of one segment, on the clock of its packets (RFC 8216, 3.5). A cue that reaches into the next segment stands in both
 * with the same times, which players take for one.
 */
export function webVtt(row: SegmentRow, texts: readonly Cue[] = shownCues(row)): string {
  const shiftMs = wrappedMs(row.startMs ?? 0) - (row.startMs ?? 0);
  const cues = texts.map(
    ({ startMs, endMs, text }) => `${time(startMs + shiftMs)} --> ${time(endMs + shiftMs)}\n${plain(text)}\n\n`,
  );
  return `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n${cues.join('')}`;
}

function time(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  const digits = (value: number, width = 2) => String(Math.floor(value)).padStart(width, '0');
  return `${digits(whole / 3_600_000)}:${digits((whole / 60_000) % 60)}:${digits((whole / 1000) % 60)}.${digits(whole % 1000, 3)}`;
}

/** Signs of markup are written out; an empty line would end the cue. */
function plain(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text
    .split(/\r?\n|\r/)
    .map((line) => line.replace(/[&<>]/g, (sign) => signs[sign] ?? sign).trim())
    .filter((line) => line !== '')
    .join('\n');
}
