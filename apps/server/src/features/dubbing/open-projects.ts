import { join } from 'node:path';
import type { DubbingProject } from '@weir/contract';
import { type Log, TaskGroup } from '@weir/plane';
import { type Ai, AiError } from '../../ai/ai.ts';
import { ProviderQueues } from '../../ai/provider-queues.ts';
import type { Clock } from '../../core/clock.ts';
import type { Store } from '../../core/store/store.ts';
import type { DubbingProjects } from './dubbing-projects.ts';
import { Exporter } from './exporter.ts';
import { FilmFiles } from './film/film-files.ts';
import { TaskRow } from './script/rows.ts';
import { Script } from './script/script.ts';
import { DubbingTask } from './work/dubbing-task.ts';

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly ai: Ai;
  readonly clock: Clock;
  readonly log: Log;
  readonly projects: DubbingProjects;
  readonly filmPath: (uuid: string) => Promise<string>;
}

/** A project with its script in memory. */
export interface Opened {
  project: DubbingProject;
  readonly files: FilmFiles;
  readonly task: DubbingTask;
  readonly exporter: Exporter;
  usedMs: number;
  /** While it is worked on. `again`: something changed meanwhile that the run may not have seen. */
  run: { readonly abort: AbortController; readonly ended: Promise<void>; again: boolean } | undefined;
}

/** Films that are worked on at the same time; others wait. */
const atOnce = { inFlight: 2, waiting: 200 } as const;
/** Longer than anything that is done with one takes, unless it is running. */
const unusedMs = 600_000;

/** Projects in use: each is loaded once, and one task works on it. */
export class OpenProjects {
  readonly #context: Context;
  readonly #home: string;
  readonly #opened = new Map<string, Promise<Opened>>();
  readonly #tasks: TaskGroup;
  readonly #places = new ProviderQueues(atOnce);

  constructor(context: Context) {
    this.#context = context;
    this.#home = join(context.config.filesDir, 'dubbing');
    this.#tasks = new TaskGroup(context.log);
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#opened.values());
    await this.#tasks.close();
    for (const each of all) if (each.status === 'fulfilled') await each.value.exporter.close();
  }

  async isWorking(): Promise<boolean> {
    const opened = await Promise.allSettled(this.#opened.values());
    return opened.some((each) => each.status === 'fulfilled' && each.value.run !== undefined);
  }

  /** Undefined while unused. */
  async known(uuid: string): Promise<Opened | undefined> {
    return this.#opened.get(uuid);
  }

  forget(uuid: string): void {
    this.#opened.delete(uuid);
  }

  /** Loaded once, by the first who needs it. */
  async open(uuid: string): Promise<Opened> {
    const project = await this.#context.projects.get(uuid);
    const known = this.#opened.get(uuid) ?? this.#load(project);
    this.#opened.set(uuid, known);
    known.catch(() => this.#opened.delete(uuid));
    const opened = await known;
    opened.usedMs = this.#context.clock.elapsedMs();
    await this.#forgetUnused();
    return opened;
  }

  /** A script takes some megabytes, so unused projects are unloaded. */
  async #forgetUnused(): Promise<void> {
    for (const [uuid, each] of this.#opened) {
      const { run, exporter, usedMs } = await each;
      const isOld = this.#context.clock.elapsedMs() - usedMs > unusedMs;
      if (isOld && !run && !exporter.isMaking) this.#opened.delete(uuid);
    }
  }

  async #load(stored: DubbingProject): Promise<Opened> {
    const { store, ai, clock, log } = this.#context;
    const { uuid } = stored;
    const files = new FilmFiles(this.#home, uuid);
    const script = await Script.load(store, uuid);
    const project = () => opened.project;
    const filmPath = () => this.#context.filmPath(uuid);
    const rows = this.taskRow(uuid);
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
    const exporter = new Exporter({ script, files, project, filmPath });
    const opened: Opened = { project: stored, files, task, exporter, run: undefined, usedMs: clock.elapsedMs() };
    return opened;
  }

  taskRow(uuid: string) {
    return this.#context.store.single(`dubbing-tasks/${uuid}`, TaskRow);
  }

  wake(opened: Opened): void {
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

  async stop({ run }: Opened): Promise<void> {
    run?.abort.abort(new AiError('stopped', 'dubbing was stopped'));
    await run?.ended;
  }
}
