import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
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
  readonly Component: LazyExoticComponent<ComponentType<Props>>;
  /** Fetches the code ahead of the first visit, and tells whether it came; a failure is left to that visit. */
  readonly preload: () => Promise<boolean>;
}

export function lazyScreen<Props = object>(load: () => Promise<ComponentType<Props>>): LazyScreen<Props> {
  return {
    Component: lazy(async () => ({ default: await importWithRetry(load) })),
    preload: () =>
      load().then(
        () => true,
        () => false,
      ),
  };
}
