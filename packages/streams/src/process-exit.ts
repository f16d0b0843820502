import { MessageFields } from './message-fields.ts';

/** Exit record, the same for every kind of process, between processes and in the API. */
export interface ProcessExit {
  /** ISO 8601. */
  readonly at: string;
  /** True for a requested exit. */
  readonly wanted: boolean;
  readonly code: number | null;
  readonly signal: string | null;
  /** In words. Of a plane, why it never became ready; empty once it has served. */
  readonly reason: string;
}

export function decodeProcessExit(data: unknown): ProcessExit {
  const fields = new MessageFields(data);
  return {
    at: fields.text('at', { least: 1, most: 64 }),
    wanted: fields.flag('wanted'),
    code: fields.has('code') ? fields.whole('code') : null,
    signal: fields.has('signal') ? fields.text('signal', { most: 64 }) : null,
    reason: fields.text('reason'),
  };
}
