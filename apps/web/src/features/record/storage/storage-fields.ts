import type { RecordStorageRule } from '@weir/contract';

/** The rule as people type it: gigabytes and days; empty means no limit. */
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

export function fieldsOf(rule: RecordStorageRule): StorageFields {
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

/** The rule that was typed, or the fields that are no amounts. */
export function ruleOf(fields: StorageFields): RecordStorageRule | { readonly wrong: readonly AmountField[] } {
  const floor = amount(fields.floor, mostGigabytes);
  const quota = amount(fields.quota, mostGigabytes);
  const keep = amount(fields.keep, mostGigabytes);
  const keepDays = amount(fields.keepDays, mostDays);
  const isWholeDays = keepDays !== undefined && Number.isInteger(keepDays);
  if (floor === undefined || quota === undefined || keep === undefined || keepDays === undefined || !isWholeDays) {
    const found = { floor, quota, keepDays: isWholeDays ? keepDays : undefined, keep };
    return { wrong: amountFields.filter((name) => found[name] === undefined) };
  }
  return {
    floorBytes: Math.round(floor * gigabyte),
    quotaBytes: Math.round(quota * gigabyte),
    keepDays,
    keepBytes: Math.round(keep * gigabyte),
    atLimit: fields.atLimit,
    keepSegments: fields.keepSegments,
  };
}

export const amountFields: readonly AmountField[] = ['floor', 'quota', 'keepDays', 'keep'];

function inGigabytes(bytes: number): string {
  return bytes === 0 ? '' : String(Math.round((bytes / gigabyte) * 1000) / 1000);
}

/** `1.5` and `1,5` alike. */
function amount(text: string, most: number): number | undefined {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return 0;
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined;
  const value = Number(plain);
  return value <= most ? value : undefined;
}
