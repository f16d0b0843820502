import { type DubbingProject, type DubbingStatus, dubbingLimits } from '@weir/contract';
import type { Ai } from '../../../ai/ai.ts';
import type { Clock } from '../../../core/clock.ts';
import { extractAudio, readLevels } from '../film/extract-audio.ts';
import type { FilmFiles } from '../film/film-files.ts';
import { planParts } from '../film/part-plan.ts';
import { joinIntoGroups } from '../script/grouping.ts';
import type { GroupRow, PartRow } from '../script/rows.ts';
import type { Script } from '../script/script.ts';
import { transcribePart } from '../steps/transcribe-part.ts';
import { GroupWork } from './group-work.ts';
import { classifyFailure, TooManyGroupsError } from './work-failure.ts';

interface Context {
  readonly ai: Ai;
  readonly clock: Clock;
  readonly script: Script;
  readonly files: FilmFiles;
  readonly project: () => DubbingProject;
  /** Local path of the video. */
  readonly filmPath: () => Promise<string>;
  readonly onStep: (status: DubbingStatus, share: number) => Promise<void>;
  readonly onLanguage: (language: string) => Promise<void>;
}

/** Concurrent calls of each kind for one project. */
const parallel = { asr: 2, translating: 4, tts: 3, rephrasing: 3 } as const;
const mostTries = 3;

/** Performs the missing steps of a project. An interrupted run continues from the rows. */
export class DubbingWork {
  readonly groups: GroupWork;
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
    this.groups = new GroupWork(context);
  }

  /** Returns when nothing is left to do that can be done; throws what ends the work, or interrupts it. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#listen(signal);
    const { groups } = this;
    // Edits during a pass make results stale; another pass renews them.
    while (this.isAnythingLeft) {
      await this.#each(
        'translating',
        (group) => groups.lacksTranslation(group),
        (group) => groups.translate(group, signal),
        signal,
      );
      await this.#each(
        'tts',
        (group) => groups.lacksVoice(group),
        (group) => groups.speak(group, signal),
        signal,
      );
      const isUnfit = (group: GroupRow) => groups.lacksVoice(group) || groups.lacksFit(group);
      const fit = (group: GroupRow) =>
        groups.lacksVoice(group) ? groups.speak(group, signal) : groups.fit(group, signal);
      await this.#each('rephrasing', isUnfit, fit, signal);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { script, files, project, onStep } = this.#context;
    const seconds = project().format?.duration ?? 0;
    const levels = (await readLevels(files)) ?? (await this.#extractAudio(seconds, signal));
    if (script.parts.length === 0) await script.write(planParts(levels, seconds));
    if (project().asr?.aiAsrEnabled === false || script.parts.every(({ state }) => state !== 'open')) return;
    const begun = new Set<number>();
    const next = () => script.parts.find(({ state, index }) => state === 'open' && !begun.has(index));
    await onStep(
      'asr',
      share(script.parts, ({ state }) => state !== 'open'),
    );
    await pool(
      parallel.asr,
      () => {
        const part = signal.aborted ? undefined : next();
        if (part) begun.add(part.index);
        return part;
      },
      async (part) => {
        const isOver = await this.#transcribePart(part, levels, signal);
        if (!isOver) begun.delete(part.index);
        await onStep(
          'asr',
          share(script.parts, ({ state }) => state !== 'open'),
        );
      },
    );
    signal.throwIfAborted();
  }

  async #extractAudio(seconds: number, signal: AbortSignal): Promise<Uint8Array> {
    const { files, filmPath, project, onStep } = this.#context;
    await onStep('extract', 0);
    const path = await filmPath();
    const hasVideo = project().format?.has_video === true;
    return extractAudio({ path, files, seconds, hasVideo, onShare: (part) => void onStep('extract', part), signal });
  }

  /** Performs the missing steps of one group that a user waits for. */
  async finish(uuid: string, signal: AbortSignal): Promise<void> {
    const { groups } = this;
    for (;;) {
      const group = this.#context.script.group(uuid);
      if (groups.lacksTranslation(group)) await groups.translate(group, signal);
      else if (groups.lacksVoice(group)) await groups.speak(group, signal);
      else if (groups.lacksFit(group)) await groups.fit(group, signal);
      else return;
    }
  }

  /** False: it is to be tried again. */
  async #transcribePart(part: PartRow, levels: Uint8Array, signal: AbortSignal): Promise<boolean> {
    const { ai, script, files, project, onLanguage } = this.#context;
    try {
      const { pieces, language } = await transcribePart(part, { ai, asr: project().asr, files, levels, signal });
      const groups = joinIntoGroups(pieces);
      if (script.groups.length + groups.length > dubbingLimits.groups)
        throw new TooManyGroupsError(dubbingLimits.groups);
      // Written as one step, so that no part is transcribed twice.
      await script.write([{ ...part, state: 'done' }, ...groups]);
      await onLanguage(language);
      return true;
    } catch (error) {
      if (signal.aborted || classifyFailure(error).kind !== 'item') throw error;
      const tries = part.tries + 1;
      await script.write([{ ...part, tries, state: tries >= mostTries ? 'failed' : 'open' }]);
      return tries >= mostTries;
    }
  }

  async #each(
    status: 'translating' | 'tts' | 'rephrasing',
    isLacking: (group: GroupRow) => boolean,
    work: (group: GroupRow) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { script, onStep } = this.#context;
    const isOpen = (group: GroupRow) => group.failures < mostTries && isLacking(group);
    if (!script.groups.some(isOpen)) return;
    const tell = () =>
      onStep(
        status,
        share(script.groups, (group) => !isOpen(group)),
      );
    await tell();
    const busy = new Set<string>();
    await pool(
      parallel[status],
      () => {
        const group = signal.aborted ? undefined : script.groups.find((each) => !busy.has(each.uuid) && isOpen(each));
        if (group) busy.add(group.uuid);
        return group;
      },
      async (group) => {
        try {
          await work(group);
        } catch (error) {
          const { kind, cause } = classifyFailure(error);
          if (signal.aborted || kind !== 'item') throw error;
          await script.change(group, { cause, failures: group.failures + 1 });
        } finally {
          busy.delete(group.uuid);
        }
        await tell();
      },
    );
    signal.throwIfAborted();
  }

  get isAnythingLeft(): boolean {
    const { groups } = this;
    return this.#context.script.groups.some(
      (group) =>
        group.failures < mostTries &&
        (groups.lacksTranslation(group) || groups.lacksVoice(group) || groups.lacksFit(group)),
    );
  }
}

function share<T>(items: readonly T[], isDone: (item: T) => boolean): number {
  return items.length === 0 ? 1 : items.filter(isDone).length / items.length;
}

/** Works on the jobs of `next`, a few at a time. The first failure stops new jobs, waits for running ones, and is thrown. */
async function pool<T>(parallel: number, next: () => T | undefined, work: (item: T) => Promise<void>): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const line = async () => {
    for (let item = next(); item !== undefined && !failure; item = next()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, line));
  if (failure) throw failure.error;
}
