import { useState } from 'react';

interface Draft<Fields extends object> {
  /** Typed values over saved ones. */
  readonly value: Fields;
  readonly changed: readonly (keyof Fields)[];
  edit(change: Partial<Fields>): void;
  discard(): void;
}

/**
 * Keeps typed values apart from server data, so that a late response cannot overwrite them. `implied` derives further values, which typed
 * ones override.
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
