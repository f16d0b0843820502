import type { RecordStorageRule } from '@weir/contract';

/** Storage rule as typed: gigabytes and days; empty means no limit. */
export interface StorageFields {
  readonly floor: string;
  readonly quota: string;
  readonly keepDays: string;
  readonly keep: string;
  readonly atLimit: RecordStorageRule['atLimit'];
  readonly keepSegments: boolean;
}

const gigabyte = 1e9;
const mostGigabytes = 1e6;
const mostDays = 36_500;

export function toStorageFields(rule: RecordStorageRule): StorageFields {
  return {
    floor: inGigabytes(rule.floorBytes),
    quota: inGigabytes(rule.quotaBytes),
    keepDays: rule.keepDays === 0 ? '' : String(rule.keepDays),
    keep: inGigabytes(rule.keepBytes),
    atLimit: rule.atLimit,
    keepSegments: rule.keepSegments,
  };
}

export type AmountField = 'floor' | 'quota' | 'keepDays' | 'keep';

const amountFields: readonly AmountField[] = ['floor', 'quota', 'keepDays', 'keep'];

export function invalidAmounts(fields: StorageFields): readonly AmountField[] {
  return amountFields.filter((name) => {
    const value = amount(fields[name]);
    const isDays = name === 'keepDays';
    return !(value <= (isDays ? mostDays : mostGigabytes)) || (isDays && !Number.isInteger(value));
  });
}

/** Converts the fields; call it only without invalid amounts. */
export function parseStorageRule(fields: StorageFields): RecordStorageRule {
  return {
    floorBytes: Math.round(amount(fields.floor) * gigabyte),
    quotaBytes: Math.round(amount(fields.quota) * gigabyte),
    keepDays: amount(fields.keepDays),
    keepBytes: Math.round(amount(fields.keep) * gigabyte),
    atLimit: fields.atLimit,
    keepSegments: fields.keepSegments,
  };
}

function inGigabytes(bytes: number): string {
  return bytes === 0 ? '' : String(Math.round((bytes / gigabyte) * 1000) / 1000);
}

/** Accepts `1.5` and `1,5`; NaN for anything else. */
function amount(text: string): number {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return 0;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}
