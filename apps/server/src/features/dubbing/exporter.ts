import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import type { DubbingFailure, DubbingProject } from '@weir/contract';
import { JobError } from '../../process-reports/job-error.ts';
import { readOutTimeMs, runJobTool } from '../../process-reports/job-tool.ts';
import { splitCue } from '../../speech/cue-lines.ts';
import { trackLanguage, trackLanguages } from '../../speech/track-language.ts';
import { transcriptFile } from '../../speech/transcript-file.ts';
import { type FilmFiles, voiceRate } from './film/film-files.ts';
import { duckingKey, measureArgs, mixArgs, noGains, readGainDb } from './mix-args.ts';
import { sourceText, spokenText } from './script/group-text.ts';
import type { GroupRow } from './script/rows.ts';
import type { Script } from './script/script.ts';
import { classifyFailure } from './work/work-failure.ts';

interface Context {
  readonly script: Script;
  readonly files: FilmFiles;
  readonly project: () => DubbingProject;
  readonly filmPath: () => Promise<string>;
}

interface Making {
  readonly name: string;
  readonly abort: AbortController;
  percent: number;
  failure: DubbingFailure;
  /** In words. */
  message: string;
  room: ExportRoom | null;
  isOver: boolean;
  readonly done: Promise<string>;
}

interface ExportState {
  readonly state: 'none' | 'making' | 'ready' | 'failed';
  readonly percent: number;
  readonly failure: DubbingFailure;
  readonly message: string;
  readonly bytes: number;
  readonly room: ExportRoom | null;
}

const nothing = { percent: 0, failure: '', message: '', bytes: 0, room: null } as const;
/** Changes when what is made of the same content does. */
const version = 3;

/** Makes the film in its new language. A file is named for all that is in it, so no edit is ever answered with an older one. */
export class Exporter {
  readonly #context: Context;
  #making: Making | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  get isMaking(): boolean {
    return this.#making?.isOver === false;
  }

  async state(): Promise<ExportState> {
    const name = this.#name();
    const bytes = (await stat(this.#context.files.export(name)).catch(() => undefined))?.size;
    if (bytes !== undefined) return { ...nothing, state: 'ready', percent: 100, bytes };
    const making = this.#making?.name === name ? this.#making : undefined;
    if (!making) return { ...nothing, state: 'none' };
    const { percent, failure, message, room } = making;
    return { ...nothing, state: failure === '' ? 'making' : 'failed', percent, failure, message, room };
  }

  /** Returns the exported file of the current film. Parallel requests share one export. */
  async make(): Promise<string> {
    const name = this.#name();
    const file = this.#context.files.export(name);
    if (await stat(file).catch(() => undefined)) return file;
    if (this.#making?.name === name && this.#making.failure === '') return this.#making.done;
    this.#making?.abort.abort();
    const abort = new AbortController();
    const making: Making = {
      name,
      abort,
      percent: 0,
      failure: '',
      message: '',
      room: null,
      isOver: false,
      done: Promise.resolve().then(() => this.#make(making)),
    };
    this.#making = making;
    return making.done;
  }

  async close(): Promise<void> {
    this.#making?.abort.abort();
    await this.#making?.done.catch(() => undefined);
  }

  async #make(making: Making): Promise<string> {
    const { files } = this.#context;
    const { name, abort } = making;
    const part = (what: (typeof mixParts)[number]) => files.scratch(`export-${name}-${what}`);
    try {
      await mixFilm({
        files,
        part,
        project: this.#context.project(),
        groups: this.#context.script.groups,
        film: await this.#context.filmPath(),
        signal: abort.signal,
        onPercent: (percent) => {
          making.percent = percent;
        },
      });
      const file = files.export(name);
      await rename(part('film'), file);
      await files.keepOnly('exports', new Set([name]));
      return file;
    } catch (error) {
      const { failure, message } = classifyFailure(error);
      making.failure = failure || 'failed';
      making.message = abort.signal.aborted ? 'the export was stopped' : message;
      if (error instanceof NoRoomError) making.room = error.room;
      throw error;
    } finally {
      making.isOver = true;
      for (const path of mixParts.map(part)) await rm(path, { force: true });
    }
  }

  #name(): string {
    const { source, background, trans, asr } = this.#context.project();
    const groups = this.#context.script.groups.map((group) => [
      group.start,
      group.end,
      group.voice?.name ?? '',
      sourceText(group),
      spokenText(group, trans?.aiChatEnabled !== false),
    ]);
    const content = JSON.stringify([version, source, background, asr?.aiAsrLanguage, trans?.aiChatPrompt, groups]);
    return createHash('sha256').update(content).digest('hex').slice(0, 32);
  }
}

interface Track {
  readonly files: FilmFiles;
  readonly groups: readonly GroupRow[];
  readonly filmSeconds: number;
}

const bytesPerSample = 2;

/** The voices of a film, each at the sample where its group begins. */
function writeVoices(path: string, track: Track): Promise<void> {
  return write(path, track, voiceRate, (name) => readFile(track.files.voice(name, 'pcm')));
}

/** Writes the key signal for ducking: silent except where a voice speaks. */
function writeDuckingKey(path: string, track: Track): Promise<void> {
  const level = Math.round(duckingKey.level * 32_768);
  return write(path, track, duckingKey.rate, async (_name, seconds) => {
    const samples = new Int16Array(Math.round(seconds * duckingKey.rate)).fill(level);
    return Buffer.from(samples.buffer);
  });
}

/** A file as long as the film. What nobody writes to is silence, and takes no room on the disk. */
async function write(
  path: string,
  { groups, filmSeconds }: Track,
  rate: number,
  pcmOf: (name: string, seconds: number) => Promise<Buffer>,
): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    const length = Math.round(filmSeconds * rate) * bytesPerSample;
    await handle.truncate(length);
    for (const { start, voice } of groups)
      if (voice)
        await writeWithin(handle, await pcmOf(voice.name, voice.seconds), {
          at: Math.round(start * rate) * bytesPerSample,
          length,
        });
  } finally {
    await handle.close();
  }
}

async function writeWithin(handle: FileHandle, pcm: Buffer, { at, length }: { at: number; length: number }) {
  const fitting = pcm.subarray(0, Math.max(0, length - at));
  if (fitting.length > 0) await handle.write(fitting, 0, fitting.length, at);
}

const scripts = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
] as const;

/** Three-letter language of a translation: from its script, else from its prompt. */
export function spokenLanguage(text: string, prompt: string): string {
  const written = scripts.find(([, signs]) => signs.test(text))?.[0];
  return trackLanguage(written ?? namedLanguage(prompt));
}

/** The language that is named last: people write "from English into French". */
function namedLanguage(prompt: string): string {
  // Chinese has two words for a language: 英文 and 英语.
  const asked = prompt.replaceAll(/(?<=[英法德日韩俄])文/g, '语');
  const places = ['en', 'zh'].flatMap((locale) => {
    const names = new Intl.DisplayNames(locale, { type: 'language' });
    return trackLanguages.map((code) => ({ code, at: asked.lastIndexOf(names.of(code) ?? code) }));
  });
  const last = places.reduce((best, place) => (place.at > best.at ? place : best), { code: '', at: -1 });
  return last.code;
}

interface FilmMix {
  readonly project: DubbingProject;
  readonly groups: readonly GroupRow[];
  readonly files: FilmFiles;
  readonly film: string;
  /** Paths of temporary files. */
  readonly part: (what: MixPart) => string;
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
}

const mixParts = ['voices', 'key', 'film', 'said', 'spoken'] as const;
type MixPart = (typeof mixParts)[number];

const quietMs = 120_000;
/** Progress, in per cent, before the video is copied. */
const measuredPercent = 30;

/** Makes the film in its new language, as `part('film')`. */
async function mixFilm({ project, groups, files, film, part, onPercent, signal }: FilmMix): Promise<void> {
  const filmSeconds = project.format?.duration ?? 0;
  const { background } = project;
  await files.make();
  await assertExportRoom(files.directory, { film, groups, filmSeconds });
  await writeVoices(part('voices'), { files, groups, filmSeconds });
  await writeDuckingKey(part('key'), { files, groups, filmSeconds });
  const { fileOptions } = await import('@weir/process');
  const tracks = { film, fileOptions, voices: part('voices'), key: part('key'), background };

  let gains = noGains;
  const wanted = background === 'off' ? (['voices'] as const) : (['voices', 'film', 'mix'] as const);
  for (const [at, what] of wanted.entries()) {
    const said = await runJobTool({ command: 'ffmpeg', args: measureArgs(tracks, what, gains), quietMs, signal });
    gains = { ...gains, [what]: readGainDb(said.join('\n'), what) };
    onPercent(((at + 1) / wanted.length) * measuredPercent);
  }

  const subtitles = await writeSubtitles(part, project, groups);
  await runJobTool({
    command: 'ffmpeg',
    args: mixArgs({ ...tracks, gains, project, subtitles, output: part('film') }),
    quietMs,
    onOutput: (text) => {
      const outMs = readOutTimeMs(text);
      if (outMs === undefined) return;
      const share = Math.min(1, outMs / 1000 / Math.max(1, filmSeconds));
      onPercent(Math.min(99, measuredPercent + share * (100 - measuredPercent)));
    },
    signal,
  });
}

async function writeSubtitles(part: FilmMix['part'], project: DubbingProject, groups: readonly GroupRow[]) {
  if (groups.length === 0) return [];
  const { trans, asr, format } = project;
  const isTranslating = trans?.aiChatEnabled !== false;
  const spoken = (group: GroupRow) => spokenText(group, isTranslating);
  const write = (path: string, textOf: (group: GroupRow) => string) => {
    const cues = groups.flatMap((group) => {
      const startMs = group.start * 1000;
      const endMs = Math.min(group.end, format?.duration ?? group.end) * 1000;
      const lines = splitCue({ startMs, endMs, text: textOf(group) });
      // ffmpeg accepts no file without a cue.
      return lines.length > 0 ? lines : [{ startMs, endMs, text: '' }];
    });
    return writeFile(path, transcriptFile(cues, 'srt'), { mode: 0o600 });
  };
  await write(part('said'), sourceText);
  await write(part('spoken'), spoken);
  const said = trackLanguage(asr?.aiAsrLanguage ?? '');
  const other = spokenLanguage(groups.map(spoken).join(' '), trans?.aiChatPrompt ?? '');
  return [
    { path: part('said'), language: said },
    { path: part('spoken'), language: isTranslating ? other : said },
  ];
}

/** Disk space reserved for the rest of the server. */
const keptFreeBytes = 512 * 1024 * 1024;
/** Size of the encoded audio including container overhead. */
const soundBytesPerSecond = 24_000;

interface ExportRoom {
  readonly needBytes: number;
  readonly freeBytes: number;
}

/** Too little disk space; nothing was started. */
class NoRoomError extends JobError {
  readonly room: ExportRoom;

  constructor(room: ExportRoom) {
    super('no-space', 'not enough disk space for the video');
    this.room = room;
  }
}

/** Throws unless the film that is made of this one fits beside it: before hours of work, not after. */
async function assertExportRoom(
  directory: string,
  { film, groups, filmSeconds }: { film: string; groups: readonly GroupRow[]; filmSeconds: number },
): Promise<void> {
  const spoken = groups.reduce((sum, { voice }) => sum + (voice?.seconds ?? 0), 0);
  const tracks = spoken * (voiceRate + duckingKey.rate) * 2;
  const needBytes = Math.ceil((await stat(film)).size + filmSeconds * soundBytesPerSecond + tracks);
  const { bavail, bsize } = await statfs(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes - needBytes < keptFreeBytes) throw new NoRoomError({ needBytes, freeBytes });
}
