import { createHash, randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import type { DubbingAssistant } from '@weir/contract';
import { pictureLimit } from '@weir/process/picture-limit';
import { type Ai, AiError } from '../../../ai/ai.ts';
import { toProviderChoice } from '../../../ai/provider-choice.ts';
import { JobError } from '../../../process-reports/job-error.ts';
import { runJobTool } from '../../../process-reports/job-tool.ts';
import { type FilmFiles, voiceRate } from '../film/film-files.ts';

interface Speaking {
  readonly ai: Pick<Ai, 'speak'>;
  readonly tts: DubbingAssistant | null;
  /** The first is 0; each has another name, so that nothing made of an earlier one passes for it. */
  readonly take: number;
  readonly files: FilmFiles;
  readonly signal: AbortSignal;
}

interface Spoken {
  readonly name: string;
  readonly seconds: number;
}

/** Formats of providers, which may ignore the requested one. */
const formats = 'wav,w64,mp3,aac,ogg,flac,mov,mp4,m4a,matroska,webm';
const quietMs = 30_000;
/** Longest plausible voice of one group. */
const longestSeconds = 120;
/** Trims silence at both ends, which would delay the voice. */
const trim = 'silenceremove=start_periods=1:start_duration=0:start_threshold=-50dB:start_silence=0.01';

/** Identifies the speaker; a change means that voices must be made again. */
export function describeSpeaker(tts: DubbingAssistant | null): string {
  const { aiBaseURL = '', aiTtsModel = '', aiTtsVoice = '' } = tts ?? {};
  return [aiBaseURL, aiTtsModel, aiTtsVoice].join(' ');
}

/** Synthesises a text into a file named by text and voice, so that an existing file is reused. */
export async function speak(text: string, { ai, tts, take, files, signal }: Speaking): Promise<Spoken> {
  const content = JSON.stringify([text, describeSpeaker(tts), ...(take > 0 ? [take] : [])]);
  const name = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const known = await secondsOf(files, name);
  if (known > 0) return { name, seconds: known };
  const bytes = await ai.speak({
    feature: 'dubbing',
    provider: toProviderChoice(tts),
    text,
    format: 'wav',
    signal,
    ...(tts?.aiTtsModel && { model: tts.aiTtsModel }),
    ...(tts?.aiTtsVoice && { voice: tts.aiTtsVoice }),
  });
  await files.make();
  const spoken = files.scratch(`spoken-${randomUUID()}`);
  try {
    await writeFile(spoken, bytes, { mode: 0o600 });
    const input = [
      '-protocol_whitelist',
      'file',
      '-format_whitelist',
      formats,
      ...pictureLimit,
      '-i',
      `file:${spoken}`,
    ];
    await makeVoice(files, name, { input, filter: `${trim},areverse,${trim},areverse`, signal });
  } catch (error) {
    if (error instanceof JobError && error.failure === 'ffmpeg')
      throw new AiError('bad-answer', 'the spoken audio cannot be decoded');
    throw error;
  } finally {
    await rm(spoken, { force: true });
  }
  const seconds = await secondsOf(files, name);
  if (seconds <= 0) throw new AiError('bad-answer', 'the spoken audio is silent');
  return { name, seconds };
}

/** The same voice at another tempo, made of how it was spoken. */
export async function atTempo(files: FilmFiles, name: string, tempo: number, signal: AbortSignal): Promise<Spoken> {
  const [natural = ''] = name.split('-');
  const other = tempo === 1 ? natural : `${natural}-t${Math.round(tempo * 100)}`;
  if ((await secondsOf(files, other)) <= 0) {
    const source = files.voice(natural, 'pcm');
    const input = ['-f', 's16le', '-ar', String(voiceRate), '-ac', '1', '-i', `file:${source}`];
    await makeVoice(files, other, { input, filter: `atempo=${tempo.toFixed(2)}`, signal });
  }
  return { name: other, seconds: await secondsOf(files, other) };
}

async function secondsOf(files: FilmFiles, name: string): Promise<number> {
  return ((await stat(files.voice(name, 'pcm')).catch(() => undefined))?.size ?? 0) / (voiceRate * 2);
}

interface Making {
  readonly input: readonly string[];
  readonly filter: string;
  readonly signal: AbortSignal;
}

async function makeVoice(files: FilmFiles, name: string, { input, filter, signal }: Making): Promise<void> {
  const part = files.scratch(`voice-${randomUUID()}`);
  const [pcm, aac] = [`${part}.pcm`, `${part}.aac`];
  const graph = `[0:a:0]${filter},aresample=${voiceRate},aformat=channel_layouts=mono,asplit[one][two]`;
  const length = ['-t', String(longestSeconds)];
  try {
    await runJobTool({
      command: 'ffmpeg',
      args: [
        '-nostdin',
        '-y',
        '-v',
        'error',
        '-progress',
        'pipe:1',
        ...input,
        '-filter_complex',
        graph,
        '-map',
        '[one]',
        ...length,
        '-f',
        's16le',
        pcm,
        '-map',
        '[two]',
        ...length,
        '-c:a',
        'aac',
        '-b:a',
        '96k',
        '-f',
        'adts',
        aac,
      ],
      quietMs,
      signal,
    });
    await rename(aac, files.voice(name, 'aac'));
    // Last: who finds it finds both.
    await rename(pcm, files.voice(name, 'pcm'));
  } finally {
    await Promise.all([rm(pcm, { force: true }), rm(aac, { force: true })]);
  }
}
