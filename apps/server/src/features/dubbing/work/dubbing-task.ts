import { randomUUID } from 'node:crypto';
import type { DubbingGroup, DubbingProject, DubbingStatus, DubbingStep, DubbingTask as TaskView } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Ai } from '../../../ai/ai.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Single } from '../../../core/store/setting.ts';
import { deleteAudio } from '../film/extract-audio.ts';
import type { FilmFiles } from '../film/film-files.ts';
import { sourceText } from '../script/group-text.ts';
import type { GroupRow, TaskRow } from '../script/rows.ts';
import type { Script } from '../script/script.ts';
import { wholeMs } from '../script/whole-ms.ts';
import { availableTime, fitInto } from '../steps/fit-speech.ts';
import { DubbingWork } from './dubbing-work.ts';
import { notShortened } from './group-work.ts';
import { Progress } from './progress.ts';
import { classifyFailure } from './work-failure.ts';

interface TaskContext {
  readonly ai: Ai;
  readonly clock: Clock;
  readonly log: Log;
  readonly script: Script;
  readonly files: FilmFiles;
  readonly rows: Single<TaskRow>;
  readonly project: () => DubbingProject;
  readonly filmPath: () => Promise<string>;
}

const firstRestMs = 5000;
const longestRestMs = 300_000;
const textCharacters = 1024;

/** The dubbing of one project: wanted state, progress, and the reason of a stop. */
export class DubbingTask {
  readonly work: DubbingWork;
  readonly #context: TaskContext;
  readonly #progress: Progress;
  #row: TaskRow | undefined;
  #rest: AbortController | undefined;

  private constructor(context: TaskContext, row: TaskRow | undefined) {
    this.#context = context;
    this.#row = row;
    this.#progress = new Progress(context.clock);
    if (row?.status === 'done') this.#progress.at('done', 1);
    this.work = new DubbingWork({
      ...context,
      onStep: async (status, share) => {
        this.#progress.at(status, share);
        if (this.#row?.status !== status || this.#row.cause !== null) await this.#set({ status, ...noTrouble });
      },
      onLanguage: async (language) => {
        if (language !== '' && this.#row?.language === '') await this.#set({ language });
      },
    });
  }

  static async load(context: TaskContext): Promise<DubbingTask> {
    return new DubbingTask(context, await context.rows.get());
  }

  get script(): Script {
    return this.#context.script;
  }

  get isStarted(): boolean {
    return this.#row !== undefined;
  }

  get status(): DubbingStatus {
    return this.#row?.status ?? 'init';
  }

  get isWanted(): boolean {
    return this.#row?.isWanted === true && this.#row.status !== 'failed';
  }

  async want(uuid: string): Promise<void> {
    const row = this.#row ?? { uuid, session: randomUUID(), language: '' };
    // Failed groups are tried again.
    const failed = this.script.groups.filter(({ failures }) => failures > 0);
    const parts = this.script.parts.filter(({ state }) => state === 'failed');
    const isDone = this.status === 'done' && failed.length === 0 && parts.length === 0;
    await this.#put({ ...row, isWanted: true, status: isDone ? 'done' : 'running', ...noTrouble });
    await this.script.write([
      ...failed.map((group) => ({ ...group, failures: 0, cause: null })),
      ...parts.map((part) => ({ ...part, state: 'open' as const, tries: 0 })),
    ]);
    this.#rest?.abort();
  }

  /** Marks the task as reopened before a change, so that work continues after a crash. Returns false if it is running. */
  async reopen(): Promise<boolean> {
    if (!this.isWanted || this.status !== 'done') return false;
    await this.#set({ status: 'running' });
    return true;
  }

  /** Marks a reopened task as done if the change needs no work. */
  async settle(): Promise<void> {
    if (this.status === 'running' && !this.work.isAnythingLeft) await this.#set({ status: 'done' });
  }

  async pause(): Promise<void> {
    if (this.#row) await this.#set({ isWanted: false, status: 'paused', ...noTrouble });
  }

  /** Deletes the results of this step and of later ones. */
  async forget(step: DubbingStep): Promise<void> {
    const { script, files } = this.#context;
    if (step === 'extract') await deleteAudio(files);
    if (step === 'extract' || step === 'asr') await script.clear();
    const blank: Partial<GroupRow> = {
      ...(step === 'translating' && noTranslation),
      // Voices stay if their text was not shortened.
      ...(step !== 'rephrasing' && { voice: null }),
      ...notShortened,
    };
    // Another take gives a voice another name, so that an export with the old voice does not count as current.
    const takes = (group: GroupRow) => (step === 'tts' ? group.takes + 1 : group.takes);
    await script.write(
      script.groups.map((group) => ({ ...group, ...blank, takes: takes(group), failures: 0, cause: null })),
    );
    if (step === 'tts') await files.keepOnly('voices', new Set());
  }

  /** Works until the task is done, failed or cancelled. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    this.#progress.begin();
    let before = this.script.cursor;
    for (let failures = 0; this.isWanted && !signal.aborted; failures++) {
      try {
        await this.work.run(signal);
        await this.#finish();
        return;
      } catch (error) {
        if (signal.aborted) return;
        const setback = classifyFailure(error);
        const { cause, failure, message } = setback;
        log.warn({ cause, reason: message, ...(cause === null && { err: error }) }, 'dubbing was interrupted');
        if (setback.kind !== 'away') return this.#set({ status: 'failed', cause, failure, message });
        // Reported as soon as the store accepts writes again.
        await this.#set({ cause, message }).catch(() => undefined);
        // Pauses grow while no progress is made.
        if (this.script.cursor !== before) failures = 0;
        before = this.script.cursor;
        this.#rest = new AbortController();
        const until = AbortSignal.any([signal, this.#rest.signal]);
        await clock
          .pause(Math.min(longestRestMs, firstRestMs * 2 ** Math.min(failures, 10)), until)
          .catch(() => undefined);
        this.#progress.begin();
      }
    }
  }

  get percent(): number {
    return this.#progress.percent;
  }

  head(uuid: string): Pick<TaskView, 'uuid' | 'session' | 'status'> {
    return { uuid, session: this.#row?.session ?? '', status: this.status };
  }

  /** With a cursor, only the groups that changed since. */
  view(uuid: string, since = ''): TaskView {
    const { script, project } = this.#context;
    const filmSeconds = project().format?.duration ?? 0;
    const { groups } = script;
    const changes = script.changesSince(since);
    const text = groups.slice(0, 40).map(sourceText).join(' ');
    const { cause = null, failure = '', message = '', language = '' } = this.#row ?? {};
    const viewAt = (group: GroupRow, id: number) => groupView(group, { id, next: groups[id + 1], filmSeconds });
    return {
      ...this.head(uuid),
      cause,
      failure,
      message,
      asr_input_audio: '',
      asr_input_bitrate: 0,
      asr_response:
        script.parts.length === 0
          ? null
          : {
              task: 'transcribe',
              language,
              duration: filmSeconds,
              text: text.length > textCharacters ? `${text.slice(0, textCharacters)}...` : text,
              groups: changes
                ? changes.places.flatMap((at) => groups.slice(at, at + 1).map((group) => viewAt(group, at)))
                : groups.map(viewAt),
            },
      percent: this.percent,
      secondsLeft: this.#progress.secondsLeft,
      missing: script.parts.filter(({ state }) => state === 'failed').map(({ start, end }) => ({ start, end })),
      cursor: script.cursor,
      since: changes ? since : '',
      order: changes?.isReordered ? groups.map(({ uuid: id }) => id) : null,
    };
  }

  async #finish(): Promise<void> {
    const { script, files } = this.#context;
    const failed = script.groups.filter(({ failures }) => failures > 0);
    const [first] = failed;
    this.#progress.at('done', 1);
    // Another tempo is derived from the spoken voice.
    const names = script.groups.flatMap(({ voice }) => (voice ? [voice.name, voice.name.split('-')[0] ?? ''] : []));
    await files.keepOnly('voices', new Set(names));
    if (!first) return this.#set({ status: 'done', ...noTrouble });
    const message = `${failed.length === 1 ? 'one group' : `${failed.length} groups`} could not be made`;
    await this.#set({ status: 'failed', cause: first.cause, failure: 'groups', message });
  }

  async #set(change: Partial<TaskRow>): Promise<void> {
    if (this.#row) await this.#put({ ...this.#row, ...change });
  }

  async #put(row: TaskRow): Promise<void> {
    this.#row = row;
    await this.#context.rows.put(row);
  }
}

const noTrouble = { cause: null, failure: '', message: '' } as const;
const noTranslation = { translated: '', translatedOf: '', translatedAt: '', suggested: '' } as const;

/** Zero time that older clients compare with. */
const never = '0001-01-01T00:00:00Z';

interface Around {
  readonly id: number;
  readonly next: GroupRow | undefined;
  readonly filmSeconds: number;
}

/** Group in the form for clients. */
function groupView(group: GroupRow, { id, next, filmSeconds }: Around): DubbingGroup {
  const { uuid, segments, start, end, translated, rephrased, voice, revision, cause } = group;
  const duration = wholeMs(end - start);
  const seconds = wholeMs(voice?.seconds ?? 0);
  const fit = voice && fitInto(voice.natural, availableTime(group, next, filmSeconds));
  return {
    uuid,
    id,
    start,
    end,
    duration,
    translated,
    rephrased,
    revision,
    cause,
    segments: segments.map(({ partStart, ...segment }, at) => ({ ...segment, id: at, original_start: partStart })),
    translated_at: group.translatedAt || never,
    corrected: translated !== '' && translated !== group.suggested,
    rephrased_at: group.rephrasedAt || never,
    tts: voice?.name ?? '',
    tts_at: voice?.at ?? never,
    tts_duration: seconds,
    free_space: voice ? wholeMs(duration - seconds) : null,
    fit: fit?.kind ?? 'none',
    over: wholeMs(fit?.over ?? 0),
    tempo: voice?.tempo ?? 1,
  };
}
