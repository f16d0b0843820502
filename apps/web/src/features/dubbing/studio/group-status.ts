import type { DubbingGroup } from '@weir/contract';
import type { TFunction } from 'i18next';
import type { Tone } from '../../../components/ui/feedback/status-label.tsx';

/** Tone by remaining seconds, as specified: red, amber, blue, green; grey without a voice. */
export function freeSpaceTone({ free_space: free, cause }: Pick<DubbingGroup, 'free_space' | 'cause'>): Tone {
  if (cause !== null) return 'bad';
  if (free === null) return 'off';
  if (free < 0) return 'bad';
  if (free < 0.3) return 'warn';
  return free < 1 ? 'busy' : 'ok';
}

/** Tone of the status text, which says whether work is left. */
export function statusTone({ fit, cause }: Pick<DubbingGroup, 'fit' | 'cause'>): Tone {
  if (cause !== null || fit === 'long') return 'bad';
  if (fit === 'none') return 'off';
  return fit === 'pause' ? 'warn' : 'ok';
}

export function statusText(t: TFunction, group: DubbingGroup): string {
  const { cause, fit, over, free_space: free, tempo } = group;
  if (cause !== null) return t('dubbing.group.failed', { why: t(`ai.why.${cause}`) });
  const faster = tempo > 1 ? ` · ${t('dubbing.group.faster', { tempo: tempo.toFixed(2) })}` : '';
  if (fit === 'none') return t('dubbing.group.none');
  if (fit === 'pause') return t('dubbing.group.pause') + faster;
  if (fit === 'long') return t('dubbing.group.long', { seconds: Math.max(0.1, over).toFixed(1) }) + faster;
  return t('dubbing.group.fits', { seconds: Math.max(0, free ?? 0).toFixed(1) }) + faster;
}

/** A group that needs attention blocks the export. */
export function needsAttention({ cause, fit }: Pick<DubbingGroup, 'cause' | 'fit'>): boolean {
  return cause !== null || fit === 'long' || fit === 'none';
}

/** Number that people see. */
export function groupNumber({ id }: Pick<DubbingGroup, 'id'>): number {
  return id + 1;
}

export function sourceText({ segments }: Pick<DubbingGroup, 'segments'>): string {
  return segments.map(({ text }) => text.trim()).join(' ');
}

/** Finds the last group that starts at or before this second; -1 = none. */
export function findGroupIndex(groups: readonly Pick<DubbingGroup, 'start'>[], seconds: number): number {
  let [low, high] = [0, groups.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((groups[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** `00:01:02.345` */
export function formatTimecode(seconds: number, separator = '.'): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const pad = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0');
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((part) => pad(part)).join(':');
  return `${clock}${separator}${pad(ms % 1000, 3)}`;
}

export type SubtitleFormat = 'srt' | 'vtt';
export type SubtitleText = 'source' | 'translation';

/** Formats the texts as a subtitle file. Groups without text are left out. */
export function formatSubtitles(groups: readonly DubbingGroup[], text: SubtitleText, format: SubtitleFormat): string {
  const clock = (seconds: number) => formatTimecode(seconds, format === 'srt' ? ',' : '.');
  const cues = groups
    .map((group) => ({ ...group, said: text === 'source' ? sourceText(group) : group.rephrased || group.translated }))
    .filter(({ said }) => said !== '')
    // An empty line or an arrow would end a cue early.
    .map(({ start, end, said }, n) => {
      const line = said.replace(/\s+/g, ' ').replaceAll('-->', '→');
      return `${n + 1}\n${clock(start)} --> ${clock(end)}\n${line}\n`;
    });
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${cues.join('\n')}`;
}
