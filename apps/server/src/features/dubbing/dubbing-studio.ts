import { join } from 'node:path';
import type { DubbingChange, DubbingProject, DubbingStep, DubbingTask as TaskView } from '@weir/contract';
import { type Log, TaskGroup } from '@weir/plane';
import { type Ai, AiError } from '../../ai/ai.ts';
import { Lanes } from '../../ai/calls/lanes.ts';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Sources } from '../../sources/sources.ts';
import { DubbingProjects } from './dubbing-projects.ts';
import { Exporter } from './export/exporter.ts';
import { FilmFiles } from './film/film-files.ts';
import { type GroupRow, TaskRow } from './script/rows.ts';
import { Script } from './script/script.ts';
import { divided, edited, merged } from './script/script-edits.ts';
import { DubbingTask } from './work/dubbing-task.ts';

interface Context {
  readonly config: { readonly dataDir: string };
  readonly store: Store;
  readonly sources: Sources;
  readonly ai: Ai;
  readonly clock: Clock;
  readonly log: Log;
}

interface Opened {
  project: DubbingProject;
  readonly files: FilmFiles;
  readonly task: DubbingTask;
  readonly exporter: Exporter;
  /** While it is worked on. `again`: something changed meanwhile that the run may not have seen. */
  run: { readonly abort: AbortController; readonly ended: Promise<void>; again: boolean } | undefined;
}

/** Films that are worked on at the same time; others wait. */
const atOnce = { inFlight: 2, waiting: 200 } as const;
/** For somebody who waits for one group. */
const finishMs = 90_000;

/** Everything about dubbing projects that needs more than their settings: their scripts, their work and what is made of them. */
export class DubbingStudio {
  readonly projects: DubbingProjects;
  readonly #context: Context;
  readonly #home: string;
  readonly #opened = new Map<string, Promise<Opened>>();
  readonly #tasks: TaskGroup;
  readonly #places = new Lanes(atOnce);

  constructor(context: Context) {
    this.#context = context;
    this.#home = join(context.config.dataDir, 'dubbing');
    this.projects = new DubbingProjects(context);
    this.#tasks = new TaskGroup(context.log);
  }

  /** What was worked on when the server stopped goes on. */
  async resume(): Promise<void> {
    for (const { uuid, task } of await this.projects.list()) {
      if (task === '') continue;
      const opened = await this.#open(uuid);
      if (opened.task.isWanted && opened.task.status !== 'done') this.#wake(opened);
    }
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#opened.values());
    await this.#tasks.close();
    for (const each of all) if (each.status === 'fulfilled') await each.value.exporter.close();
  }

  async update(change: DubbingChange): Promise<DubbingProject> {
    const project = await this.projects.update(change);
    const opened = await this.#opened.get(project.uuid);
    if (opened) {
      opened.project = project;
      // Another voice or another prompt: what it makes stale is made again.
      if (opened.task.isWanted) this.#wake(opened);
    }
    return project;
  }

  async remove(uuid: string): Promise<void> {
    const opened = await this.#open(uuid);
    await this.projects.remove(uuid);
    this.#opened.delete(uuid);
    await this.#stop(opened);
    await opened.exporter.close();
    await opened.task.script.clear();
    await this.#taskRow(uuid).delete();
    await opened.files.remove();
  }

  async start(uuid: string): Promise<TaskView> {
    const opened = await this.#open(uuid);
    const { project } = opened;
    const language = project.asr?.aiAsrLanguage ?? '';
    const { aiSecretKey = '', aiBaseURL = '', aiOrganization = '' } = project.asr ?? {};
    const provider = { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
    const { by, cause } = await this.#context.ai.describe('transcribe', provider, language);
    if (by === 'nobody')
      throw new WeirError('invalid_input', 'check ai config: nobody can understand speech in this language', {
        why: { kind: cause ?? 'no-provider', fact: language },
      });
    await opened.task.want(uuid);
    opened.project = await this.projects.setTask(uuid);
    this.#wake(opened);
    return opened.task.view(uuid);
  }

  async pause(uuid: string): Promise<TaskView> {
    const opened = await this.#started(uuid);
    await opened.task.pause();
    await this.#stop(opened);
    return opened.task.view(uuid);
  }

  async restart(uuid: string, step: DubbingStep): Promise<TaskView> {
    const opened = await this.#started(uuid);
    await opened.task.pause();
    await this.#stop(opened);
    await opened.task.forget(step);
    return this.start(uuid);
  }

  async view(uuid: string, task: string): Promise<TaskView> {
    return (await this.#started(uuid, task)).task.view(uuid);
  }

  /** In other, fewer words. */
  rephrase(uuid: string, group: string): Promise<TaskView> {
    return this.#forGroup(uuid, group, async ({ task }, row, signal) => {
      await task.work.groups.shorten(row, signal);
    });
  }

  merge(uuid: string, group: string, direction: string): Promise<TaskView> {
    if (direction !== 'next' && direction !== 'prev')
      throw new WeirError('invalid_input', 'invalid direction, should be next or prev');
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      const other = script.groups[script.placeOf(group) + (direction === 'next' ? 1 : -1)];
      if (!other) throw new WeirError('invalid_input', 'merge group: there is no group on that side');
      const [first, second] = direction === 'next' ? [row, other] : [other, row];
      const one = { ...merged(first, second), uuid: row.uuid };
      assertTaken(await script.replace([first, second], [one]));
    });
  }

  split(uuid: string, group: string, at: number, revision?: number): Promise<TaskView> {
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      assertSame(row, revision);
      assertTaken(await script.replace([row], divided(row, at)));
    });
  }

  edit(
    uuid: string,
    group: string,
    { revision, ...edit }: Parameters<typeof edited>[1] & { revision?: number | undefined },
  ): Promise<TaskView> {
    return this.#forGroup(uuid, group, async ({ project, task: { script } }, row) => {
      assertSame(row, revision);
      const at = script.placeOf(group);
      const around = { before: script.groups[at - 1], after: script.groups[at + 1] };
      const filmSeconds = project.format?.duration ?? 0;
      const next = edited(row, edit, { ...around, filmSeconds, now: isoNow(this.#context.clock) });
      assertTaken(await script.replace([row], [next]));
    });
  }

  /** The files that players ask for. */
  async filmPath(uuid: string): Promise<string> {
    const { source } = await this.projects.get(uuid);
    const reading = await this.#context.sources.readingOf(await this.#context.sources.get([source]));
    if (reading?.input.kind !== 'file') throw new WeirError('not_found', 'the film is gone, its file no longer exists');
    return reading.input.path;
  }

  async voicePath(uuid: string, group: string): Promise<string> {
    const { task, files } = await this.#started(uuid);
    const { voice } = task.script.group(group);
    if (!voice) throw new WeirError('not_found', 'this group has no voice yet');
    return files.voice(voice.name, 'aac');
  }

  /** Throws where something of it is missing, in words. */
  async exporter(uuid: string, task: string): Promise<Exporter> {
    const opened = await this.#started(uuid, task);
    const { status, asr_response: response } = opened.task.view(uuid);
    if (status !== 'done') throw new WeirError('invalid_input', `task not finished, status=${status}`);
    for (const { id, fit, over } of response?.groups ?? []) {
      if (fit === 'none') throw new WeirError('invalid_input', `group ${id} has no voice`);
      if (fit === 'long')
        throw new WeirError(
          'invalid_input',
          `group ${id} is too long by ${over.toFixed(1)} s, shorten its text or move its end`,
        );
    }
    return opened.exporter;
  }

  async #forGroup(
    uuid: string,
    group: string,
    change: (opened: Opened, row: GroupRow, signal: AbortSignal) => Promise<void>,
  ): Promise<TaskView> {
    const opened = await this.#started(uuid);
    const { task } = opened;
    const signal = AbortSignal.timeout(finishMs);
    try {
      await change(opened, task.script.group(group), signal);
      if (task.isWanted) await task.work.finish(group, signal);
    } catch (error) {
      if (signal.aborted)
        throw new WeirError('unavailable', 'AI did not answer in time; the work goes on', { cause: error });
      if (error instanceof AiError)
        throw new WeirError('unavailable', error.message, { why: { kind: error.cause, fact: '' }, cause: error });
      throw error;
    } finally {
      if (task.isWanted) this.#wake(opened);
    }
    return task.view(uuid);
  }

  async #started(uuid: string, task = ''): Promise<Opened> {
    const opened = await this.#open(uuid);
    if (!opened.task.isStarted) throw new WeirError('not_found', 'dubbing has not been started yet');
    if (task !== '' && task !== uuid) throw new WeirError('invalid_input', 'invalid task, it is of another project');
    return opened;
  }

  /** Loaded once, by the first who needs it. */
  async #open(uuid: string): Promise<Opened> {
    const project = await this.projects.get(uuid);
    const known = this.#opened.get(uuid) ?? this.#load(project);
    this.#opened.set(uuid, known);
    known.catch(() => this.#opened.delete(uuid));
    return known;
  }

  async #load(stored: DubbingProject): Promise<Opened> {
    const { store, ai, clock, log } = this.#context;
    const { uuid } = stored;
    const files = new FilmFiles(this.#home, uuid);
    const script = await Script.load(store, uuid);
    const project = () => opened.project;
    const filmPath = () => this.filmPath(uuid);
    const rows = this.#taskRow(uuid);
    const task = await DubbingTask.load({
      ai,
      clock,
      script,
      files,
      rows,
      project,
      filmPath,
      log: log.child({ project: uuid }),
    });
    const language = () => opened.project.asr?.aiAsrLanguage ?? '';
    const exporter = new Exporter({ script, files, project, filmPath, language });
    const opened: Opened = { project: stored, files, task, exporter, run: undefined };
    return opened;
  }

  #taskRow(uuid: string) {
    return this.#context.store.single(`dubbing-tasks/${uuid}`, TaskRow);
  }

  #wake(opened: Opened): void {
    if (opened.run) {
      opened.run.again = true;
      return;
    }
    const abort = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const run = { abort, ended, again: false };
    opened.run = run;
    this.#tasks.spawn(`dubbing ${opened.project.uuid}`, async (closing) => {
      try {
        const signal = AbortSignal.any([closing, abort.signal]);
        const leave = await this.#places.enter('', signal);
        try {
          do {
            run.again = false;
            await opened.task.run(signal);
          } while (run.again && opened.task.isWanted && !signal.aborted);
        } finally {
          leave();
        }
      } finally {
        opened.run = undefined;
        resolve();
      }
    });
  }

  async #stop({ run }: Opened): Promise<void> {
    run?.abort.abort(new AiError('stopped', 'dubbing was stopped'));
    await run?.ended;
  }
}

function assertSame({ revision }: GroupRow, known: number | undefined): void {
  assertTaken(known === undefined || known === revision);
}

/** Two people, or two windows of one. */
function assertTaken(isTaken: boolean): void {
  if (!isTaken)
    throw new WeirError('invalid_input', 'the group was changed meanwhile, look at it again', {
      why: { kind: 'changed', fact: '' },
    });
}
