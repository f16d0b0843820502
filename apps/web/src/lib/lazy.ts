import { type ComponentType, createElement, lazy, useState } from 'react';
import { retryDelayMs } from './api.ts';

const tries = 6;

/** A code chunk is missing, for example after a server upgrade. Only a reload helps. */
export class CodeMissingError extends Error {
  override readonly name = 'CodeMissingError';
}

/** Code comes from the same server as data, so an import is retried while the server restarts. */
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
  /** Loads the code early. Returns false on failure, which is left to the first visit. */
  readonly preload: () => Promise<boolean>;
}

export function lazyScreen<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyScreen<Props> {
  const Late = lazy(async () => ({ default: await importWithRetry(load) }));
  let known: ComponentType<Props> | undefined;
  return {
    // Renders preloaded code directly: React shows the fallback of a lazy component for at least a third of a second.
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
