import { createHash } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import type { DubbingProject } from '@weir/contract';
import { toJobError } from '../../../processes/job-error.ts';
import { readOutTimeMs, runJobTool } from '../../../processes/job-tool.ts';
import { trackLanguage } from '../../../speech/subtitles/track-language.ts';
import { transcriptFile } from '../../../speech/subtitles/transcript-file.ts';
import type { FilmFiles } from '../film/film-files.ts';
import { sourceText, spokenText } from '../script/group-text.ts';
import type { GroupRow } from '../script/rows.ts';
import type { Script } from '../script/script.ts';
import { measureArgs, mixArgs, readGainDb } from './mix-args.ts';
import { writeTrack } from './track.ts';

interface Context {
  readonly script: Script;
  readonly files: FilmFiles;
  readonly project: () => DubbingProject;
  readonly filmPath: () => Promise<string>;
  /** Spoken in the film; a code of two letters. */
  readonly language: () => string;
}

interface Making {
  readonly name: string;
  readonly abort: AbortController;
  percent: number;
  /** In words. */
  failure: string;
  isOver: boolean;
  readonly done: Promise<string>;
}

const quietMs = 120_000;
const measureMs = 600_000;
/** Changes when what is made of the same content does. */
const version = 1;

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

  async state(): Promise<{
    state: 'none' | 'making' | 'ready' | 'failed';
    percent: number;
    message: string;
    bytes: number;
  }> {
    const name = this.#name();
    const bytes = (await stat(this.#context.files.export(name)).catch(() => undefined))?.size;
    if (bytes !== undefined) return { state: 'ready', percent: 100, message: '', bytes };
    const making = this.#making?.name === name ? this.#making : undefined;
    if (!making) return { state: 'none', percent: 0, message: '', bytes: 0 };
    const { percent, failure: message } = making;
    return { state: message === '' ? 'making' : 'failed', percent, message, bytes: 0 };
  }

  /** The file, as the film is now. Whoever asks for the same meanwhile waits for the same. */
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
    const part = (what: string) => files.scratch(`export-${name}-${what}`);
    const scratch = ['track', 'film', 'said', 'spoken'].map(part);
    try {
      await this.#mix(making, part);
      const file = files.export(name);
      await rename(part('film'), file);
      await files.keepOnly('exports', new Set([name]));
      return file;
    } catch (error) {
      making.failure = abort.signal.aborted ? 'it was stopped' : toJobError(error).message;
      throw error;
    } finally {
      making.isOver = true;
      for (const path of scratch) await rm(path, { force: true });
    }
  }

  async #mix({ abort: { signal }, ...making }: Making, part: (what: string) => string): Promise<void> {
    const { files, filmPath, language } = this.#context;
    const project = this.#context.project();
    const { groups } = this.#context.script;
    const filmSeconds = project.format?.duration ?? 0;
    await files.make();
    await writeTrack(part('track'), { files, groups, filmSeconds });
    const { fileOptions, runTool } = await import('@weir/process');
    const measured = await runTool({
      command: 'ffmpeg',
      args: measureArgs(part('track')),
      withinMs: measureMs,
      signal,
      niceness: 10,
    });
    await this.#writeSubtitles(part, groups, filmSeconds);
    const subtitles =
      groups.length === 0
        ? []
        : [
            { path: part('said'), language: trackLanguage(language()) },
            { path: part('spoken'), language: 'und' },
          ];
    await runJobTool({
      command: 'ffmpeg',
      args: mixArgs({
        ...{ project, subtitles, fileOptions, film: await filmPath() },
        ...{ track: part('track'), gainDb: readGainDb(measured.said.join('\n')), output: part('film') },
      }),
      quietMs,
      onOutput: (text) => {
        const outMs = readOutTimeMs(text);
        if (outMs !== undefined)
          this.#tell(making.name, Math.min(99, Math.round(outMs / 10 / Math.max(1, filmSeconds))));
      },
      signal,
    });
  }

  #tell(name: string, percent: number): void {
    if (this.#making?.name === name) this.#making.percent = percent;
  }

  async #writeSubtitles(
    part: (what: string) => string,
    groups: readonly GroupRow[],
    filmSeconds: number,
  ): Promise<void> {
    const cues = (textOf: (group: GroupRow) => string) =>
      groups.map((group) => ({
        startMs: group.start * 1000,
        endMs: Math.min(group.end, filmSeconds) * 1000,
        text: textOf(group),
      }));
    const isTranslating = this.#context.project().trans?.aiChatEnabled !== false;
    await writeFile(part('said'), transcriptFile(cues(sourceText), 'srt'), { mode: 0o600 });
    const spoken = cues((group) => spokenText(group, isTranslating));
    await writeFile(part('spoken'), transcriptFile(spoken, 'srt'), { mode: 0o600 });
  }

  #name(): string {
    const { source, background, trans } = this.#context.project();
    const groups = this.#context.script.groups.map((group) => [
      ...[group.start, group.end, group.voice?.name ?? '', sourceText(group)],
      spokenText(group, trans?.aiChatEnabled !== false),
    ]);
    const content = JSON.stringify([version, source, background, this.#context.language(), groups]);
    return createHash('sha256').update(content).digest('hex').slice(0, 32);
  }
}
