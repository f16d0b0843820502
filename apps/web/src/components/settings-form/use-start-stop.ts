import { outletLimits } from '@weir/contract';
import { useCooldown } from './use-cooldown.ts';

export type RunAction = 'save' | 'start' | 'stop';

interface Options<Config extends { readonly all: boolean }> {
  /** `all` is the on/off switch. */
  readonly saved: Config;
  /** Validated form values with the switch set; undefined if invalid. */
  checked(all: boolean): Config | undefined;
  send(config: Config, action: RunAction): void;
}

/** Save, start and stop for settings that include their own switch. */
export function useStartStop<Config extends { readonly all: boolean }>({ saved, checked, send }: Options<Config>) {
  const { isLocked, lock } = useCooldown(outletLimits.lockMs);
  return {
    isLocked,
    save() {
      const config = checked(saved.all);
      if (config) send(config, 'save');
    },
    toggle() {
      // Stopping sends the saved settings, so that an invalid draft cannot block it; the draft stays.
      const config = saved.all ? { ...saved, all: false } : checked(true);
      if (!config || isLocked) return;
      lock();
      send(config, saved.all ? 'stop' : 'start');
    },
  };
}
