import { useState } from 'react';

interface Draft<Fields extends object> {
  /** What the fields show: what was typed, else what is saved. */
  readonly value: Fields;
  /** Fields that differ from what is saved. */
  readonly changed: readonly (keyof Fields)[];
  edit(change: Partial<Fields>): void;
  discard(): void;
}

/**
 * What was typed stands apart from what the server says, so that a late or repeated answer cannot overwrite it.
 * `implied` names what follows from what was typed, unless that is typed as well.
 */
export function useDraft<Fields extends object>(
  saved: Fields,
  implied?: (typed: Partial<Fields>) => Partial<Fields>,
): Draft<Fields> {
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const unsaved = { ...implied?.(typed), ...typed };
  const value = { ...saved, ...unsaved };
  const names = Object.keys(unsaved) as (keyof Fields)[];
  return {
    value,
    changed: names.filter((name) => !isSame(value[name], saved[name])),
    edit: (change) => setTyped((before) => ({ ...before, ...change })),
    discard: () => setTyped({}),
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
