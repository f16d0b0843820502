import type { TranscriptFormat } from '@weir/contract';
import type { Cue } from './cue.ts';
import { joinTexts } from './join-texts.ts';

/** A text is to be read at least this long, and no longer than until the next one. */
const shortestMs = 500;

/** Formats the cues of a recording or video as one file. */
export function transcriptFile(cues: readonly Cue[], form: TranscriptFormat): string {
  if (form === 'txt') return cues.map(({ text }) => `${joinTexts(linesOf(text))}\n`).join('');
  const timed = cues.map(({ startMs, endMs, text }, index) => {
    const next = cues[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const end = Math.max(Math.min(endMs, next), Math.min(startMs + shortestMs, next), startMs + 1);
    return { startMs, endMs: end, lines: linesOf(text) };
  });
  if (form === 'srt') {
    return timed
      .map(({ startMs, endMs, lines }, index) => {
        // Signs of markup to most programs, and none can be written out.
        const text = lines.map((line) =>
          line.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('{', '(').replaceAll('}', ')'),
        );
        return `${index + 1}\n${time(startMs, ',')} --> ${time(endMs, ',')}\n${text.join('\n')}\n\n`;
      })
      .join('');
  }
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  const cue = ({ startMs, endMs, lines }: (typeof timed)[number]) =>
    `${time(startMs, '.')} --> ${time(endMs, '.')}\n${lines.join('\n').replace(/[&<>]/g, (sign) => signs[sign] ?? sign)}\n\n`;
  return `WEBVTT\n\n${timed.map(cue).join('')}`;
}

/** An empty line would end a cue. */
function linesOf(text: string): string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.replaceAll('\0', '').trim())
    .filter((line) => line !== '');
}

function time(ms: number, point: ',' | '.'): string {
  const whole = Math.max(0, Math.round(ms));
  const digits = (value: number, width = 2) => String(Math.floor(value)).padStart(width, '0');
  return `${digits(whole / 3_600_000)}:${digits((whole / 60_000) % 60)}:${digits((whole / 1000) % 60)}${point}${digits(whole % 1000, 3)}`;
}
