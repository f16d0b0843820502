import type { SampleTable } from '@weir/dialect';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { joinSamples } from '../../../lib/join-samples.ts';

/**
 * How far the player of the page is behind, at each second that is measured. Moments are those of the samples, so that a browser whose clock
 * is wrong puts them in the right place.
 */
export function usePlayerDelays(newestMs: number) {
  const [delays, setDelays] = useState<SampleTable<'delayMs'>>({ at: [], columns: { delayMs: [] } });
  const latest = useRef<number>(undefined);
  const onState = useCallback(({ phase, statistics: { delayMs } }: PlayerState) => {
    latest.current = phase === 'playing' ? delayMs : undefined;
  }, []);
  useEffect(() => {
    const delayMs = latest.current;
    if (delayMs === undefined || newestMs === 0) return;
    setDelays((known) => joinSamples(known, { at: [newestMs], columns: { delayMs: [delayMs] } }));
  }, [newestMs]);
  return { delays, onState };
}
