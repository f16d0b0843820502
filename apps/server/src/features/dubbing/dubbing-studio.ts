import type { DubbingChange, DubbingProject, DubbingStep, DubbingTask as TaskView } from '@weir/contract';
import type { Log } from '@weir/plane';
import { type Ai, AiError } from '../../ai/ai.ts';
import { assertAnswerer } from '../../ai/assert-answerer.ts';
import { providerOf } from '../../ai/provider-of.ts';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Sources } from '../../sources/sources.ts';
import { DubbingProjects } from './dubbing-projects.ts';
import type { Exporter } from './export/exporter.ts';
import { peaksOf, voiceLevel } from './film/loudness.ts';
import { readLevels } from './film/take-sound.ts';
import { type Opened, OpenProjects } from './open-projects.ts';
import { refusal } from './refusal.ts';
import type { GroupRow } from './script/rows.ts';
import { divided, edited, merged } from './script/script-edits.ts';

interface Context {
  readonly config: { readonly dataDir: string };
  readonly store: Store;
  readonly sources: Sources;
  readonly ai: Ai;
  readonly clock: Clock;
  readonly log: Log;
}

type TaskHead = Pick<TaskView, 'uuid' | 'session' | 'status'>;

/** For somebody who waits for one group. */
const finishMs = 90_000;
/** What a border can be told apart by, when it is moved to where a voice begins. */
const peaksPerSecond = 50;

/** Everything about dubbing projects that needs more than their settings: their scripts, their work and what is made of them. */
export class DubbingStudio {
  readonly projects: DubbingProjects;
  readonly #context: Context;
  readonly #open: OpenProjects;

  constructor(context: Context) {
    this.#context = context;
    this.projects = new DubbingProjects(context);
    this.#open = new OpenProjects({ ...context, projects: this.projects, filmPath: (uuid) => this.filmPath(uuid) });
  }

  /** What was worked on when the server stopped goes on. */
  async resume(): Promise<void> {
    for (const { uuid, task } of await this.projects.list()) {
      const row = task === '' ? undefined : await this.#open.taskRow(uuid).get();
      if (row?.isWanted && row.status !== 'done' && row.status !== 'failed')
        this.#open.wake(await this.#open.open(uuid));
    }
  }

  close(): Promise<void> {
    return this.#open.close();
  }

  async update(change: DubbingChange): Promise<DubbingProject> {
    const project = await this.projects.update(change);
    const opened = await this.#open.known(project.uuid);
    if (opened) {
      opened.project = project;
      // Another voice or another prompt: what it makes stale is made again.
      if (opened.task.isWanted) this.#open.wake(opened);
    }
    return project;
  }

  async remove(uuid: string): Promise<void> {
    const opened = await this.#open.open(uuid);
    await opened.task.pause();
    await this.#open.stop(opened);
    await opened.exporter.close();
    await opened.files.remove();
    await opened.task.script.clear();
    await this.#open.taskRow(uuid).delete();
    // Last: what is cut off here is still in the list, and can be removed again.
    await this.projects.remove(uuid);
    this.#open.forget(uuid);
  }

  async start(uuid: string): Promise<TaskHead> {
    const opened = await this.#open.open(uuid);
    const { project } = opened;
    const language = project.asr?.aiAsrLanguage ?? '';
    await assertAnswerer(this.#context.ai, 'transcribe', providerOf(project.asr), language);
    await opened.task.want(uuid);
    opened.project = await this.projects.setTask(uuid);
    this.#open.wake(opened);
    return opened.task.head(uuid);
  }

  async pause(uuid: string): Promise<TaskHead> {
    const opened = await this.#started(uuid);
    await opened.task.pause();
    await this.#open.stop(opened);
    return opened.task.head(uuid);
  }

  async restart(uuid: string, step: DubbingStep): Promise<TaskHead> {
    const opened = await this.#started(uuid);
    await opened.task.pause();
    await this.#open.stop(opened);
    await opened.task.forget(step);
    return this.start(uuid);
  }

  async view(uuid: string, task: string, since: string): Promise<TaskView> {
    return (await this.#started(uuid, task)).task.view(uuid, since);
  }

  /** In other, fewer words. */
  rephrase(uuid: string, group: string): Promise<void> {
    return this.#forGroup(uuid, group, async ({ task }, row, signal) => {
      await task.work.groups.shorten(row, signal);
    });
  }

  /** In the same words, once more. */
  speak(uuid: string, group: string, revision?: number): Promise<void> {
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      assertSame(row, revision);
      assertTaken(await script.change(row, { takes: row.takes + 1, voice: null, cause: null, failures: 0 }));
    });
  }

  merge(uuid: string, group: string, direction: string): Promise<void> {
    if (direction !== 'next' && direction !== 'prev')
      throw new WeirError('invalid_input', 'invalid direction, should be next or prev');
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      const other = script.groups[script.placeOf(group) + (direction === 'next' ? 1 : -1)];
      if (!other) throw refusal('no-neighbour', 'merge group: there is no group on that side');
      const [first, second] = direction === 'next' ? [row, other] : [other, row];
      const one = { ...merged(first, second), uuid: row.uuid };
      assertTaken(await script.replace([first, second], [one]));
    });
  }

  split(uuid: string, group: string, at: number, revision?: number): Promise<void> {
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      assertSame(row, revision);
      assertTaken(await script.replace([row], divided(row, at)));
    });
  }

  edit(
    uuid: string,
    group: string,
    { revision, ...edit }: Parameters<typeof edited>[1] & { revision?: number | undefined },
  ): Promise<void> {
    return this.#forGroup(uuid, group, async ({ project, task: { script } }, row) => {
      assertSame(row, revision);
      const at = script.placeOf(group);
      const around = { before: script.groups[at - 1], after: script.groups[at + 1] };
      const filmSeconds = project.format?.duration ?? 0;
      const next = edited(row, edit, { ...around, filmSeconds, now: isoNow(this.#context.clock) });
      assertTaken(await script.replace([row], [next]));
    });
  }

  async peaks(uuid: string): Promise<{ peaks: string; perSecond: number; voice: number }> {
    const { files } = await this.#open.open(uuid);
    const levels = (await readLevels(files)) ?? new Uint8Array(0);
    const peaks = peaksOf(levels, peaksPerSecond);
    return { peaks: Buffer.from(peaks).toString('base64'), perSecond: peaksPerSecond, voice: voiceLevel(levels) };
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
  ): Promise<void> {
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
        throw new WeirError('unavailable', error.message, { why: { kind: 'ai', fact: error.cause }, cause: error });
      throw error;
    } finally {
      if (task.isWanted) this.#open.wake(opened);
    }
  }

  async #started(uuid: string, task = ''): Promise<Opened> {
    const opened = await this.#open.open(uuid);
    if (!opened.task.isStarted) throw new WeirError('not_found', 'dubbing has not been started yet');
    if (task !== '' && task !== uuid) throw new WeirError('invalid_input', 'invalid task, it is of another project');
    return opened;
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
