import type { Alert, ProcessReport } from '@weir/contract';

/** A connection that is back sooner than this is nobody's worry. */
export const patienceMs = 30_000;

interface Output {
  /** The tab of the console that has its settings. */
  readonly tab: 'forward' | 'vlive' | 'camera' | 'transcode';
  /** Its slot; empty where the feature has but one. */
  readonly platform: string;
  readonly label: string;
  readonly process: ProcessReport;
}

/** What the owner should know of something that is to be sent. Waiting for a source is nothing of that kind. */
export function outputAlert({ tab, platform, label, process }: Output, nowMs: number): Alert[] {
  const { state, since, failure } = process;
  const isLong = since !== '' && nowMs - Date.parse(since) >= patienceMs;
  if (state !== 'failing' && !(state === 'reconnecting' && isLong)) return [];
  return [
    {
      kind: 'output',
      severity: state === 'failing' ? 'bad' : 'warn',
      since,
      count: 1,
      place: { page: 'scenario', tab, child: '' },
      subject: platform,
      label,
      cause: failure?.cause ?? '',
    },
  ];
}
