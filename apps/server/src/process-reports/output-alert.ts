import type { Alert, ProcessReport } from '@weir/contract';

/** Shorter interruptions cause no alert. */
export const patienceMs = 30_000;

interface Output {
  /** The tab of the console that has its settings. */
  readonly tab: 'forward' | 'vlive' | 'camera' | 'transcode';
  /** Slot name; empty where the feature has only one. */
  readonly platform: string;
  readonly label: string;
  readonly process: ProcessReport;
}

/** Alerts for an output that should be sent. Waiting for a source raises none. */
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
