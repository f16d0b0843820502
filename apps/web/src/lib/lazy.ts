import { type ComponentType, createElement, lazy, useState } from 'react';
import { retryDelayMs } from './api.ts';

const tries = 6;

/** Code that does not arrive, for example because the server was upgraded. Only a reload helps. */
export class CodeMissingError extends Error {
  override readonly name = 'CodeMissingError';
}

/** Code comes from the same server as data: while it restarts, ask again instead of giving up on the page. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await load();
    } catch (error) {
      if (failures + 1 >= tries) throw new CodeMissingError(String(error), { cause: error });
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(failures)));
    }
  }
}

export interface LazyScreen<Props = object> {
  readonly Component: ComponentType<Props>;
  /** Fetches the code ahead of the first visit, and tells whether it came; a failure is left to that visit. */
  readonly preload: () => Promise<boolean>;
}

export function lazyScreen<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyScreen<Props> {
  const Late = lazy(async () => ({ default: await importWithRetry(load) }));
  let known: ComponentType<Props> | undefined;
  return {
    // Code that is there is shown at once. Lazy components always show their stand-in first, and React leaves it for a third of a second.
    Component: function Screen(props: Props) {
      const [Shown] = useState<ComponentType<Props> | typeof Late>(() => known ?? Late);
      return createElement(Shown, props);
    },
    preload: () =>
      load().then(
        (component) => {
          known = component;
          return true;
        },
        () => false,
      ),
  };
}
