export interface VttCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** As written: with the marks and escapes of WebVTT. */
  readonly text: string;
}

/** More than this is no transcript of one recording. */
const mostCues = 50_000;
const times = /^((?:\d{2,}:)?\d{2}:\d{2}\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?\d{2}:\d{2}\.\d{3})/;

/** Cues of a WebVTT file, without their settings. What is no cue is passed over. */
export function parseWebVtt(file: string): VttCue[] {
  const cues: VttCue[] = [];
  for (const block of file.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => times.test(line));
    const [, start, end] = times.exec(lines[at] ?? '') ?? [];
    const text = lines
      .slice(at + 1)
      .join('\n')
      .trim();
    if (start === undefined || end === undefined || text === '') continue;
    cues.push({ startSeconds: parseSeconds(start), endSeconds: parseSeconds(end), text });
    if (cues.length === mostCues) break;
  }
  return cues;
}

function parseSeconds(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
