import { ApiError } from '@weir/client';
import type { DubbingGroup } from '@weir/contract';
import {
  draftKey,
  type EditField,
  editFields,
  fieldText,
  isBorder,
  normalizeText,
  type TextField,
} from './edit-field.ts';
import { findUnchanged, type Regrouping } from './regrouping.ts';

interface Draft {
  /** Text when typing began. */
  readonly base: string;
  readonly text: string;
}

interface Correction {
  readonly group: string;
  readonly field: EditField;
  readonly before: string;
  readonly after: string;
}

interface ScriptEditorState {
  /** Drafts by `draftKey`. */
  readonly drafts: Readonly<Record<string, Draft>>;
  /** Groups that the server is changing for this page. */
  readonly busy: ReadonlySet<string>;
  /** Drafts that lost against a change made elsewhere, by `draftKey`. */
  readonly conflicts: Readonly<Record<string, string>>;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

interface ScriptEditorOptions {
  readonly groups: () => readonly DubbingGroup[];
  /** Sends a correction; resolves when the groups are up to date. */
  readonly send: (correction: { group: DubbingGroup; field: EditField; text: string }) => Promise<unknown>;
  /** Refreshes the groups. */
  readonly reload: () => Promise<unknown>;
  /** Replaces groups; resolves when the groups are up to date. */
  readonly regroup: (present: readonly DubbingGroup[], known: readonly DubbingGroup[]) => Promise<unknown>;
  /** Called when borders or groups were changed elsewhere. Texts become conflicts instead. */
  readonly onLost: () => void;
  /** Called for all failures except concurrent changes. */
  readonly onFailure: (error: unknown) => void;
}

/** Pause that ends a sentence. Each save creates a voice, so saving every letter would be wasteful. */
const idleMs = 2500;
/** Shorter pause for borders moved by keys. */
const borderIdleMs = 800;

export function isChangedElsewhere(error: unknown): boolean {
  return error instanceof ApiError && error.why?.kind === 'changed';
}

/**
 * Drafts of the groups' texts and borders. Saves them after a pause, supports undo and redo, and never overwrites
 * changes made elsewhere.
 */
export class ScriptEditor {
  readonly #options: ScriptEditorOptions;
  readonly #listeners = new Set<() => void>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #history = new UndoHistory<Correction | Regrouping>();
  readonly #underWay = new Set<Promise<void>>();
  #steps: Promise<void> = Promise.resolve();
  #state: ScriptEditorState = { drafts: {}, busy: new Set(), conflicts: {}, canUndo: false, canRedo: false };

  constructor(options: ScriptEditorOptions) {
    this.#options = options;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = () => this.#state;

  readonly type = (group: DubbingGroup, field: EditField, text: string) => {
    const key = draftKey(group.uuid, field);
    const base = this.#state.drafts[key]?.base ?? fieldText(group, field);
    this.#set({ drafts: { ...this.#state.drafts, [key]: { base, text } } });
    this.#saveLater(group.uuid, field);
  };

  /** Saves the draft of a field, if there is one. */
  readonly save = (uuid: string, field: EditField): Promise<void> => this.track(this.#save(uuid, field));

  /** Registers work that undo must wait for, because its result is visible before it is recorded. */
  readonly track = (work: Promise<void>): Promise<void> => {
    const followed = work.finally(() => this.#underWay.delete(followed));
    this.#underWay.add(followed);
    return followed;
  };

  async #save(uuid: string, field: EditField): Promise<void> {
    const key = draftKey(uuid, field);
    clearTimeout(this.#timers.get(key));
    const draft = this.#state.drafts[key];
    if (!draft) return;
    // Changes of one group run one after the other.
    if (this.#state.busy.has(uuid)) return this.#saveLater(uuid, field);
    const { base, text } = draft;
    if (normalizeText(text) === normalizeText(base)) return this.#dropDraft(key);
    const correction = { group: uuid, field, before: base, after: text };
    if (await this.#correct(correction)) this.record(correction);
  }

  /** Records a step that undo can revert. */
  readonly record = (done: Correction | Regrouping) => {
    this.#history.push(done);
    this.#set({});
  };

  /** Saves all drafts at once, when the page closes. */
  readonly flush = async (): Promise<void> => {
    const saves = Object.keys(this.#state.drafts).map((key) => {
      const [uuid = '', field] = key.split('/');
      return this.save(uuid, editFields.find((one) => one === field) ?? 'translated');
    });
    await Promise.all(saves);
  };

  readonly undo = () => this.#enqueueStep('undo');
  readonly redo = () => this.#enqueueStep('redo');

  /** Resolves a conflict with the user's own text or drops it. */
  readonly resolveConflict = (uuid: string, field: TextField, isMine: boolean) => {
    const key = draftKey(uuid, field);
    const { [key]: mine, ...conflicts } = this.#state.conflicts;
    this.#set({ conflicts });
    const group = this.#group(uuid);
    if (!isMine || !group || mine === undefined) return;
    this.type(group, field, mine);
    void this.save(uuid, field);
  };

  /** Marks groups as busy during the work. */
  readonly markBusy = async <Answer>(uuids: readonly string[], work: () => Promise<Answer>): Promise<Answer> => {
    this.#set({ busy: new Set([...this.#state.busy, ...uuids]) });
    try {
      return await work();
    } finally {
      this.#set({ busy: new Set([...this.#state.busy].filter((one) => !uuids.includes(one))) });
    }
  };

  #saveLater(uuid: string, field: EditField): void {
    const key = draftKey(uuid, field);
    clearTimeout(this.#timers.get(key));
    const pauseMs = isBorder(field) ? borderIdleMs : idleMs;
    this.#timers.set(
      key,
      setTimeout(() => void this.save(uuid, field), pauseMs),
    );
  }

  /** Runs steps one after the other, however fast the keys are pressed. */
  #enqueueStep(way: UndoDirection): Promise<void> {
    const step = async () => {
      // Unsaved drafts and pending saves are the most recent steps.
      await Promise.allSettled(this.#underWay);
      await this.flush();
      await this.#step(way);
    };
    this.#steps = this.#steps.then(step, step);
    return this.#steps;
  }

  async #step(way: UndoDirection): Promise<void> {
    const last = this.#history.next(way);
    if (!last) return;
    if ('field' in last) {
      const [before, after] = way === 'undo' ? [last.after, last.before] : [last.before, last.after];
      const group = this.#group(last.group);
      // A group that was merged or changed elsewhere cannot be restored.
      const isThere = group !== undefined && normalizeText(fieldText(group, last.field)) === normalizeText(before);
      const isDone = isThere && (await this.#correct({ ...last, before, after }));
      this.#history.move(way, last, isDone ? last : undefined);
      this.#set({});
      if (!isThere) await this.#step(way);
    } else {
      const done = await this.#regroup(last, way);
      if (done !== 'failed') this.#history.move(way, last, done === 'lost' ? undefined : done);
      this.#set({});
    }
  }

  /** Reverts or repeats a regrouping. Returns the inverse step; `failed` = it may be tried again. */
  #regroup(step: Regrouping, way: UndoDirection): Promise<Regrouping | 'lost' | 'failed'> {
    const [expected, known] = way === 'undo' ? [step.after, step.before] : [step.before, step.after];
    const uuids = expected.map(({ uuid }) => uuid);
    return this.markBusy(uuids, async () => {
      for (let isLast = false; ; isLast = true) {
        const present = findUnchanged(this.#options.groups(), expected);
        if (!present) {
          this.#options.onLost();
          return 'lost';
        }
        // Keeps what was made since, such as voices, so that the inverse step restores it.
        const done = way === 'undo' ? { ...step, after: present } : { ...step, before: present };
        try {
          await this.#options.regroup(present, known);
          return done;
        } catch (error) {
          await this.#options.reload();
          // Background work changes revisions too, so try once more.
          if (isChangedElsewhere(error) && !isLast) continue;
          this.#options.onFailure(error);
          // The groups may be stored although their voices failed.
          return findUnchanged(this.#options.groups(), known) ? done : 'failed';
        }
      }
    });
  }

  /** Saves a text; returns whether the server has it now. */
  async #correct({ group: uuid, field, before, after }: Correction): Promise<boolean> {
    const key = draftKey(uuid, field);
    return this.markBusy([uuid], async () => {
      // Background work changes revisions too. With an unchanged text that is no conflict.
      for (let isLast = false; ; isLast = true) {
        const group = this.#group(uuid);
        if (!group || normalizeText(fieldText(group, field)) !== normalizeText(before))
          return this.#conflict(key, field, after);
        try {
          await this.#options.send({ group, field, text: normalizeText(after) });
          this.#dropDraft(key, after);
          return true;
        } catch (error) {
          const isChanged = isChangedElsewhere(error);
          await this.#options.reload();
          if (isChanged && !isLast) continue;
          if (isChanged) return this.#conflict(key, field, after);
          this.#options.onFailure(error);
          // The server may have stored the text although its voice failed.
          const now = this.#group(uuid);
          const isTaken = now !== undefined && normalizeText(fieldText(now, field)) === normalizeText(after);
          // A refused border returns to its place; a refused text is kept for another try.
          if (isTaken || isBorder(field)) this.#dropDraft(key, after);
          return isTaken;
        }
      }
    });
  }

  #conflict(key: string, field: EditField, mine: string): false {
    this.#dropDraft(key);
    if (isBorder(field)) this.#options.onLost();
    else this.#set({ conflicts: { ...this.#state.conflicts, [key]: mine } });
    return false;
  }

  /** Drops a draft, unless more was typed since it was saved. */
  #dropDraft(key: string, saved?: string): void {
    const { [key]: draft, ...drafts } = this.#state.drafts;
    if (!draft) return;
    if (saved === undefined || draft.text === saved) this.#set({ drafts });
    else this.#set({ drafts: { ...drafts, [key]: { ...draft, base: normalizeText(saved) } } });
  }

  #group(uuid: string): DubbingGroup | undefined {
    return this.#options.groups().find((group) => group.uuid === uuid);
  }

  #set(change: Partial<ScriptEditorState>): void {
    this.#state = {
      ...this.#state,
      ...change,
      canUndo: this.#history.next('undo') !== undefined,
      canRedo: this.#history.next('redo') !== undefined,
    };
    for (const listener of this.#listeners) listener();
  }
}

type UndoDirection = 'undo' | 'redo';

const remembered = 100;

/** Undo and redo stacks of limited length. */
class UndoHistory<Step> {
  #steps: Readonly<Record<UndoDirection, readonly Step[]>> = { undo: [], redo: [] };

  /** Pushes a step and clears the redo stack. */
  push(step: Step): void {
    this.#steps = { undo: [...this.#steps.undo.slice(1 - remembered), step], redo: [] };
  }

  next(way: UndoDirection): Step | undefined {
    return this.#steps[way].at(-1);
  }

  /** Moves a step to the other stack; `back` = its inverse, if there is one. */
  move(way: UndoDirection, step: Step, back: Step | undefined): void {
    const other = way === 'undo' ? 'redo' : 'undo';
    const left = this.#steps[way].filter((one) => one !== step);
    const others = this.#steps[other];
    this.#steps = { ...this.#steps, [way]: left, [other]: back === undefined ? others : [...others, back] };
  }
}
