import type {
  Activity,
  DubbingChange,
  DubbingProject,
  DubbingState,
  DubbingStep,
  DubbingTask as TaskView,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Ai } from '../../ai/ai.ts';
import { assertProvider } from '../../ai/assert-provider.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Store } from '../../core/store/store.ts';
import type { Sources } from '../../media-sources/sources.ts';
import { Corrections } from './corrections.ts';
import { DubbingProjects } from './dubbing-projects.ts';
import type { Exporter } from './exporter.ts';
import { readLevels } from './film/extract-audio.ts';
import { toPeaks, voiceLevel } from './film/loudness.ts';
import { type Opened, OpenProjects } from './open-projects.ts';

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly sources: Sources;
  readonly ai: Ai;
  readonly clock: Clock;
  readonly log: Log;
}

type TaskHead = Pick<TaskView, 'uuid' | 'session' | 'status'>;

/** Resolution of the waveform, fine enough to move a border to the onset of a voice. */
const peaksPerSecond = 50;

/** Operations on dubbing projects beyond their settings: scripts, tasks and exports. */
export class DubbingStudio {
  readonly projects: DubbingProjects;
  readonly corrections: Corrections;
  readonly #context: Context;
  readonly #open: OpenProjects;
  /** Serialises the operations of each project: a start waits for the removal of earlier data. */
  readonly #turns = new Mutex();

  constructor(context: Context) {
    this.#context = context;
    this.projects = new DubbingProjects(context);
    this.#open = new OpenProjects({ ...context, projects: this.projects, filmPath: (uuid) => this.filmPath(uuid) });
    this.corrections = new Corrections({
      clock: context.clock,
      open: (uuid) => this.#started(uuid),
      wake: (opened) => this.#open.wake(opened),
    });
  }

  /** Resumes the tasks that ran when the server stopped. */
  async resume(): Promise<void> {
    for (const { uuid, task } of await this.projects.list()) {
      const row = task === '' ? undefined : await this.#open.taskRow(uuid).get();
      if (row?.isWanted && row.status !== 'done' && row.status !== 'failed')
        this.#open.wake(await this.#open.open(uuid));
    }
  }

  /** Running while a project is worked on; a finished one is no set-up. */
  async activity(): Promise<Activity | undefined> {
    return (await this.#open.isWorking()) ? 'running' : undefined;
  }

  /** Read from the stored task where no script is in memory: a list loads none. */
  async states(projects: readonly DubbingProject[]): Promise<DubbingState[]> {
    const started = projects.filter(({ task }) => task !== '');
    const states = await Promise.all(
      started.map(async ({ uuid }) => {
        const opened = await this.#open.known(uuid);
        if (opened) return { ...opened.task.head(uuid), percent: opened.task.percent };
        const row = await this.#open.taskRow(uuid).get();
        return row && { uuid, status: row.status, percent: row.status === 'done' ? 100 : 0 };
      }),
    );
    return states.flatMap((state) =>
      state ? [{ uuid: state.uuid, status: state.status, percent: state.percent }] : [],
    );
  }

  close(): Promise<void> {
    return this.#open.close();
  }

  async update(change: DubbingChange): Promise<DubbingProject> {
    const project = await this.projects.update(change);
    const opened = await (project.task === '' ? this.#open.known(project.uuid) : this.#open.open(project.uuid));
    if (!opened) return project;
    const { task } = opened;
    opened.project = project;
    // A changed voice or prompt makes results stale; they are made again.
    if (task.work.isAnythingLeft) await task.reopen();
    if (task.isWanted) this.#open.wake(opened);
    return project;
  }

  remove(uuid: string): Promise<void> {
    return this.#turns.take(async () => {
      await this.#clear(await this.#open.open(uuid));
      // Last: what is cut off here is still in the list, and can be removed again.
      await this.projects.remove(uuid);
      this.#open.forget(uuid);
    }, uuid);
  }

  /** Removes everything but the project, as before its first start. */
  cancel(uuid: string): Promise<void> {
    return this.#turns.take(async () => {
      const opened = await this.#started(uuid);
      // First: what is cut off here is not begun again by itself.
      await this.projects.setTask(uuid, '');
      await this.#clear(opened);
      this.#open.forget(uuid);
    }, uuid);
  }

  start(uuid: string): Promise<TaskHead> {
    return this.#turns.take(() => this.#start(uuid), uuid);
  }

  pause(uuid: string): Promise<TaskHead> {
    return this.#turns.take(async () => (await this.#stop(await this.#started(uuid))).head(uuid), uuid);
  }

  restart(uuid: string, step: DubbingStep): Promise<TaskHead> {
    return this.#turns.take(async () => {
      const task = await this.#stop(await this.#started(uuid));
      await task.forget(step);
      return this.#start(uuid);
    }, uuid);
  }

  async view(uuid: string, task: string, since: string): Promise<TaskView> {
    return (await this.#started(uuid, task)).task.view(uuid, since);
  }

  async peaks(uuid: string): Promise<{ peaks: string; perSecond: number; voice: number }> {
    const { files } = await this.#open.open(uuid);
    const levels = (await readLevels(files)) ?? new Uint8Array(0);
    const peaks = toPeaks(levels, peaksPerSecond);
    return { peaks: Buffer.from(peaks).toString('base64'), perSecond: peaksPerSecond, voice: voiceLevel(levels) };
  }

  /** The files that players ask for. */
  async filmPath(uuid: string): Promise<string> {
    const { source } = await this.projects.get(uuid);
    const reading = await this.#context.sources.readingOf(await this.#context.sources.get([source]));
    if (reading?.input.kind !== 'file') throw new WeirError('not_found', 'the video file no longer exists');
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

  async #start(uuid: string): Promise<TaskHead> {
    const opened = await this.#open.open(uuid);
    const { project } = opened;
    const language = project.asr?.aiAsrLanguage ?? '';
    await assertProvider(this.#context.ai, 'transcribe', toProviderChoice(project.asr), language);
    await opened.task.want(uuid);
    opened.project = await this.projects.setTask(uuid, uuid);
    this.#open.wake(opened);
    return opened.task.head(uuid);
  }

  async #stop(opened: Opened): Promise<Opened['task']> {
    await opened.task.pause();
    await this.#open.stop(opened);
    return opened.task;
  }

  async #clear(opened: Opened): Promise<void> {
    await this.#stop(opened);
    await opened.exporter.close();
    await opened.files.remove();
    await opened.task.script.clear();
    await this.#open.taskRow(opened.project.uuid).delete();
  }

  async #started(uuid: string, task = ''): Promise<Opened> {
    const opened = await this.#open.open(uuid);
    if (!opened.task.isStarted) throw new WeirError('not_found', 'dubbing has not been started yet');
    if (task !== '' && task !== uuid)
      throw new WeirError('invalid_input', 'invalid task, it belongs to another project');
    return opened;
  }
}
