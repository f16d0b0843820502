import {
  isNamedPlatform,
  namedPlatforms,
  numberedSlots,
  type Outlet,
  type OutletFeature,
  parseSlotNumber,
  slotPrefixes,
} from '@weir/contract';

/** One place for a destination: a named platform or a numbered slot. */
export interface SlotView<Slot extends Outlet> {
  /** Panel key, derived from the position; never changes. */
  readonly key: string;
  readonly number: number;
  readonly platform: string;
  readonly saved: Slot | undefined;
}

/**
 * Lists the named platforms, then numbered slots up to the limit. Every saved slot is included: duplicates of a number, and those above a
 * lowered limit, because they still run.
 */
export function listSlots<Slot extends Outlet>(
  feature: OutletFeature,
  saved: Readonly<Record<string, Slot>>,
  limit: number,
  freshId: (number: number) => string,
): SlotView<Slot>[] {
  const named = namedPlatforms.map((platform, index) => ({
    key: String(index + 1),
    number: index + 1,
    platform,
    saved: saved[platform],
  }));
  const first = named.length + 1;
  const own = Object.values(saved)
    .map((slot) => ({ slot, number: parseSlotNumber(feature, slot.platform) }))
    .filter((one): one is { slot: Slot; number: number } => one.number !== undefined)
    .sort((a, b) => a.number - b.number || (a.slot.platform < b.slot.platform ? -1 : 1));
  const numbered: SlotView<Slot>[] = Array.from({ length: numberedSlots(limit) }, (_, index) => {
    const number = first + index;
    const slot = own.find((one) => one.number === number)?.slot;
    const platform = slot?.platform ?? `${slotPrefixes[feature]}-${number}-${freshId(number)}`;
    return { key: String(number), number, platform, saved: slot };
  });
  const shown = new Set(numbered.map(({ platform }) => platform));
  const others = own
    .filter(({ slot }) => !shown.has(slot.platform))
    .map(({ slot, number }) => ({ key: slot.platform, number, platform: slot.platform, saved: slot }));
  return [...named, ...numbered, ...others];
}

/** Saved slots in panel order: the rows of a list. */
export function savedSlots<Slot extends Outlet>(views: readonly SlotView<Slot>[]): SavedSlot<Slot>[] {
  return views.filter((view): view is SavedSlot<Slot> => view.saved !== undefined);
}

export type SavedSlot<Slot extends Outlet> = SlotView<Slot> & { readonly saved: Slot };

/**
 * Slot of a new destination: the platform's own if it is free, else the next numbered one, and the slots of other platforms last. Undefined
 * if all are in use.
 */
export function findFreeSlot<Slot extends Outlet>(
  views: readonly SlotView<Slot>[],
  wanted?: string,
): SlotView<Slot> | undefined {
  const free = views.filter(({ saved }) => saved === undefined);
  return (
    free.find(({ platform }) => platform === wanted) ??
    free.find(({ platform }) => !isNamedPlatform(platform)) ??
    free[0]
  );
}

/** Key of the status panel. */
export const statusKey = '99';

/** Panel of the specification that is open at first: the status once a slot is enabled, else the first platform. */
export function initialKey(saved: Readonly<Record<string, Outlet>>): string {
  const isRunning = Object.values(saved).some(
    ({ platform, enabled, server, secret }) =>
      enabled && (namedPlatforms.some((name) => name === platform) || (server !== '' && secret !== '')),
  );
  return isRunning ? statusKey : '1';
}

/** Six hexadecimal digits, the suffix of slot names. */
export function randomSlotId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(3)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
