import type { StreamSamples } from '@weir/contract';
import { playProtocols, type StreamSampleField } from '@weir/streams';

/** The newest known value of a field, if it is at most a few samples old. */
export function latestOf(samples: StreamSamples | undefined, field: StreamSampleField): number | undefined {
  return samples?.columns[field].slice(-freshSamples).findLast((value) => value !== null) ?? undefined;
}

/** Values such as the round trip arrive every few seconds. */
const freshSamples = 5;

/** Most viewers at once in the last five minutes. */
export function peakViewers({ columns, at }: StreamSamples): number {
  const viewers = at.map((_at, index) =>
    playProtocols.reduce((sum, protocol) => sum + (columns[protocol][index] ?? 0), 0),
  );
  return Math.max(0, ...viewers);
}
