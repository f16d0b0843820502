import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { DubbingAssistant } from '@weir/contract';
import type { Ai } from '../../../ai/ai.ts';
import { toProviderChoice } from '../../../ai/provider-choice.ts';
import { writeWav } from '../../../ai/wav.ts';
import { cleanText, isDoubtful } from '../../../speech/doubtful-text.ts';
import { type FilmFiles, speechRate } from '../film/film-files.ts';
import { onsetNear, voiceLevel } from '../film/loudness.ts';
import type { PartRow, SpokenRow } from '../script/rows.ts';
import { wholeMs } from '../script/whole-ms.ts';

interface Listening {
  readonly ai: Pick<Ai, 'transcribe'>;
  readonly asr: DubbingAssistant | null;
  readonly files: FilmFiles;
  readonly levels: Uint8Array;
  readonly signal: AbortSignal;
}

const leastSeconds = 0.05;

/** Transcribes a part of the video, with times in the video. */
export async function transcribePart(
  part: PartRow,
  { ai, asr, files, levels, signal }: Listening,
): Promise<{ pieces: SpokenRow[]; language: string }> {
  const pcm = await readPcm(files.speech, part);
  if (pcm.length === 0) return { pieces: [], language: '' };
  const { text, language, segments } = await ai.transcribe({
    feature: 'dubbing',
    provider: toProviderChoice(asr),
    language: asr?.aiAsrLanguage ?? '',
    signal,
    audio: writeWav(pcm),
    seconds: pcm.length / (speechRate * 2),
    ...(asr?.aiAsrModel && { model: asr.aiAsrModel }),
  });
  const told = segments.length > 0 ? segments : [{ start: 0, end: part.end - part.start, text }];
  const threshold = voiceLevel(levels);
  const pieces: SpokenRow[] = [];
  for (const segment of told) {
    const clean = cleanText(segment.text);
    const from = onsetNear(levels, part.start + segment.start, threshold);
    const start = Math.max(part.start, from, pieces.at(-1)?.end ?? 0);
    const end = Math.min(part.end, part.start + segment.end);
    if (end - start < leastSeconds || isDoubtful(clean, end - start)) continue;
    const place = { start: wholeMs(start), end: wholeMs(end), partStart: wholeMs(part.start) };
    pieces.push({ uuid: randomUUID(), text: clean, ...place });
  }
  return { pieces, language };
}

async function readPcm(path: string, { start, end }: PartRow): Promise<Buffer> {
  const handle = await open(path);
  try {
    const byteAt = (second: number) => Math.round(second * speechRate) * 2;
    const bytes = Buffer.alloc(byteAt(end) - byteAt(start));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, byteAt(start));
    return bytes.subarray(0, bytesRead - (bytesRead % 2));
  } finally {
    await handle.close();
  }
}
