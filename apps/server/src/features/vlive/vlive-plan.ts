import type { Source } from '@weir/contract';
import { type Input, type ProcessSpec, relayArgs } from '@weir/process';
import { outletSecrets, outletUrl } from '../../outlets/outlet-url.ts';
import type { VliveSlot } from './vlive-slot.ts';

/** How the sources of a slot are read. */
export interface Reading {
  readonly input: Input;
  readonly secrets: readonly string[];
  readonly limits: Pick<ProcessSpec, 'longestMs' | 'fastLimit'>;
}

/** What should run: each slot that is on, has an address and something to play. */
export function planVlive(slots: readonly VliveSlot[], readings: ReadonlyMap<string, Reading>): ProcessSpec[] {
  return slots
    .filter(({ enabled, server }) => enabled && server !== '')
    .flatMap((slot) => {
      const reading = readings.get(slot.platform);
      if (!reading) return [];
      const { input, secrets, limits } = reading;
      return [
        {
          key: vliveKey(slot.platform),
          args: relayArgs({ from: input, to: outletUrl(slot) }),
          secrets: [...outletSecrets(slot), ...secrets],
          ...limits,
        },
      ];
    });
}

export function vliveKey(platform: string): string {
  return `vlive/${platform}`;
}

/** The one of several files in turn that plays after so much of media, by the durations that were found when they were looked into. */
export function playingAt(sources: readonly Source[], mediaMs: number): Source | undefined {
  const lengths = sources.map(({ format }) => Math.max(0, Number(format.duration) || 0) * 1000);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total === 0) return sources[0];
  let position = mediaMs % total;
  return sources.find((_source, index) => {
    position -= lengths[index] ?? 0;
    return position < 0;
  });
}
