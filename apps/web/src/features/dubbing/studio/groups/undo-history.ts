export type UndoDirection = 'undo' | 'redo';

const remembered = 100;

/** Steps that can be taken back, and those that were. */
export class UndoHistory<Step> {
  #steps: Readonly<Record<UndoDirection, readonly Step[]>> = { undo: [], redo: [] };

  /** What is done now ends what could have been done again. */
  push(step: Step): void {
    this.#steps = { undo: [...this.#steps.undo.slice(1 - remembered), step], redo: [] };
  }

  next(way: UndoDirection): Step | undefined {
    return this.#steps[way].at(-1);
  }

  /** A step went its way; `back`: how it goes the other one, if it does. */
  move(way: UndoDirection, step: Step, back: Step | undefined): void {
    const other = way === 'undo' ? 'redo' : 'undo';
    const left = this.#steps[way].filter((one) => one !== step);
    const others = this.#steps[other];
    this.#steps = { ...this.#steps, [way]: left, [other]: back === undefined ? others : [...others, back] };
  }
}
