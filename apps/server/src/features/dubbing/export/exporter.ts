import { createHash } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import type { DubbingFailure, DubbingProject } from '@weir/contract';
import type { FilmFiles } from '../film/film-files.ts';
import { sourceText, spokenText } from '../script/group-text.ts';
import type { Script } from '../script/script.ts';
import { classifyFailure } from '../work/setback.ts';
import { type ExportRoom, NoRoomError } from './export-room.ts';
import { mixFilm, mixParts } from './mix-film.ts';

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
const version = 2;

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
