import { outletLimits } from '@weir/contract';
import { useCooldown } from './use-cooldown.ts';

export type RunAction = 'save' | 'start' | 'stop';

interface Options<Config extends { readonly all: boolean }> {
  /** What is saved; `all` says whether it is on. */
  readonly saved: Config;
  /** What the form holds, to be saved as on or off; shows what is wrong, and then is nothing. */
  checked(all: boolean): Config | undefined;
  send(config: Config, action: RunAction): void;
}

/** Saving, and starting or stopping, for a form whose settings also say whether it is on. */
export function useStartStop<Config extends { readonly all: boolean }>({ saved, checked, send }: Options<Config>) {
  const { isLocked, lock } = useCooldown(outletLimits.lockMs);
  return {
    isLocked,
    save() {
      const config = checked(saved.all);
      if (config) send(config, 'save');
    },
    toggle() {
      // A stop must not fail because of something half typed: what was typed stays, and is not saved by it.
      const config = saved.all ? { ...saved, all: false } : checked(true);
      if (!config || isLocked) return;
      lock();
      send(config, saved.all ? 'stop' : 'start');
    },
  };
}
