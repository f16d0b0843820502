import {
  defaultHomepage,
  defaultUpgradeWindow,
  type UpgradeStrategy,
  UpgradeWindow,
  upgradeStrategies,
} from '@weir/contract';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

const Stored = z.object({
  window: UpgradeWindow.default(defaultUpgradeWindow),
  // Weir does not replace its own files, so upgrades are manual unless chosen otherwise.
  strategy: z.enum(upgradeStrategies).default('manual'),
  homepage: z.string().default(defaultHomepage),
  backends: z.array(z.string()).default([]),
});
type Stored = z.output<typeof Stored>;

/** Stored settings of the server as a whole. */
export class PlatformSettings {
  readonly #settings: Setting<Stored>;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#settings = store.setting('platform/platform', Stored);
    this.#clock = clock;
  }

  read(): Promise<Stored> {
    return this.#settings.read();
  }

  async change(fields: Partial<Stored>): Promise<void> {
    await this.#settings.update((current) => ({ ...current, ...fields }));
  }

  async window(): Promise<UpgradeWindow & { strategy: UpgradeStrategy; isOpen: boolean }> {
    const { window, strategy } = await this.read();
    return { ...window, strategy, isOpen: isWindowOpen(window, this.#hour()) };
  }

  async setStrategy(wanted: UpgradeStrategy | undefined): Promise<UpgradeStrategy> {
    const { strategy } = await this.#settings.update((current) => ({
      ...current,
      strategy: wanted ?? (current.strategy === 'auto' ? 'manual' : 'auto'),
    }));
    return strategy;
  }

  /** For the version check: how upgrades happen, and whether one should happen now. */
  async upgrade(versions: { running: string; stable: string }): Promise<{ strategy: UpgradeStrategy; isDue: boolean }> {
    const { window, strategy } = await this.read();
    return { strategy, isDue: isUpgradeDue(versions, { window, strategy }, this.#hour()) };
  }

  /** On the clock of this machine, as its owner means it. */
  #hour(): number {
    return new Date(this.#clock.dateMs()).getHours();
  }
}

/** `hour` of the server's clock, 0 to 23. A window of 24 hours is always open. */
export function isWindowOpen({ start, duration }: UpgradeWindow, hour: number): boolean {
  return (hour - start + 24) % 24 < duration;
}

interface Versions {
  readonly running: string;
  readonly stable: string;
}

/** True if an automatic upgrade is wanted and available, and it is time for it. */
export function isUpgradeDue(
  { running, stable }: Versions,
  settings: { readonly strategy: UpgradeStrategy; readonly window: UpgradeWindow },
  hour: number,
): boolean {
  return settings.strategy === 'auto' && isOlder(running, stable) && isWindowOpen(settings.window, hour);
}

function isOlder(version: string, other: string): boolean {
  const [own, their] = [numbersOf(version), numbersOf(other)];
  const index = own.findIndex((number, position) => number !== their[position]);
  return index !== -1 && (own[index] ?? 0) < (their[index] ?? 0);
}

function numbersOf(version: string): number[] {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1) ?? ['0', '0', '0'];
  return parts.map(Number);
}
