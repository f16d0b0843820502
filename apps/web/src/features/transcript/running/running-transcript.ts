import type { TranscriptLine } from '@weir/contract';
import { formatClock } from '../../../lib/format.ts';

/** Lines kept on the page: several hours of speech. */
const mostLines = 3000;

/** Adds the latest lines to those seen before, which the server no longer lists. */
export function mergeLines(
  before: readonly TranscriptLine[],
  latest: readonly TranscriptLine[],
): readonly TranscriptLine[] {
  const first = latest[0];
  if (!first) return before;
  const listed = new Set(latest.map(({ id }) => id));
  // A newer line that is gone was removed by a person.
  const older = before.filter(({ id, at }) => !listed.has(id) && at < first.at);
  return [...older, ...latest].slice(-mostLines);
}

/** Text in a language; empty for the spoken one. Undefined while it is not translated. */
export function lineText({ text, texts }: TranscriptLine, language: string): string | undefined {
  return language === '' ? text : texts[language];
}

/** Lines that contain the text in this language. */
export function findLines(
  lines: readonly TranscriptLine[],
  language: string,
  query: string,
): readonly TranscriptLine[] {
  const wanted = query.trim().toLocaleLowerCase();
  if (wanted === '') return lines;
  return lines.filter((line) => lineText(line, language)?.toLocaleLowerCase().includes(wanted));
}

/** Text file with the time of each line. Cleared lines are left out. */
export function formatTranscript(lines: readonly TranscriptLine[], language: string): string {
  return lines
    .filter(({ cleared }) => !cleared)
    .flatMap((line) => {
      const text = lineText(line, language);
      return text === undefined ? [] : [`${formatClock(new Date(line.at))}  ${text}\n`];
    })
    .join('');
}
