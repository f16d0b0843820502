import type { UpgradeStrategy, UpgradeWindow } from '@weir/contract';

/** `hour` of the server's clock, 0 to 23. A window of 24 hours is always open. */
export function isWindowOpen({ start, duration }: UpgradeWindow, hour: number): boolean {
  return (hour - start + 24) % 24 < duration;
}

interface Versions {
  readonly running: string;
  readonly stable: string;
}

/** Whether an upgrade should happen now: somebody wants it to happen by itself, there is one, and it is the time for it. */
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
