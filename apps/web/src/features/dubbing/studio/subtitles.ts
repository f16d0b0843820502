import type { DubbingGroup } from '@weir/contract';
import { formatTimecode, sourceText } from './group-status.ts';

export type SubtitleFormat = 'srt' | 'vtt';
export type SubtitleText = 'source' | 'translation';

/** What is said in a film, as a file of subtitles. Groups without text are left out. */
export function formatSubtitles(groups: readonly DubbingGroup[], text: SubtitleText, format: SubtitleFormat): string {
  const clock = (seconds: number) => formatTimecode(seconds, format === 'srt' ? ',' : '.');
  const cues = groups
    .map((group) => ({ ...group, said: text === 'source' ? sourceText(group) : group.rephrased || group.translated }))
    .filter(({ said }) => said !== '')
    // An empty line or an arrow would end a cue in its middle.
    .map(({ start, end, said }, n) => {
      const line = said.replace(/\s+/g, ' ').replaceAll('-->', '→');
      return `${n + 1}\n${clock(start)} --> ${clock(end)}\n${line}\n`;
    });
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${cues.join('\n')}`;
}
