import { type accessApi, accessLimits, type BodyOf, PlayLinkAddress } from '@weir/contract';
import { isWholeNumber } from '../../components/settings-form/number-field.tsx';

export const linkPeriods = ['day', 'week', 'month', 'custom'] as const;

const hourMs = 3600_000;
const periodMs = { day: 24 * hourMs, week: 7 * 24 * hourMs, month: 30 * 24 * hourMs } as const;

/** Fields of the link form as typed. */
export interface LinkDraft {
  readonly label: string;
  readonly period: (typeof linkPeriods)[number];
  /** Local date and time as browsers write it. */
  readonly expires: string;
  /** Empty for at once. */
  readonly starts: string;
  /** Empty for any number. */
  readonly devices: string;
  /** Empty for everybody. */
  readonly address: string;
}

export const blankLink: LinkDraft = { label: '', period: 'week', expires: '', starts: '', devices: '', address: '' };

type LinkChange = Omit<BodyOf<typeof accessApi.makeLink>, 'vhost' | 'app' | 'stream'>;

/** A period counts from the start of the link. */
export function toLinkChange(draft: LinkDraft, nowMs: number): LinkChange {
  const { label, starts, devices, address } = draft;
  return {
    label: label.trim(),
    ...(starts !== '' && { startsAt: new Date(starts).toISOString() }),
    expiresAt: new Date(endMsOf(draft, nowMs)).toISOString(),
    devices: Number(devices || 0),
    address: address.trim(),
  };
}

export function findLinkProblems(draft: LinkDraft, nowMs: number): ReadonlySet<keyof LinkDraft> {
  const { starts, devices, address, period } = draft;
  const problems = new Set<keyof LinkDraft>();
  const endMs = endMsOf(draft, nowMs);
  const isTooLong = endMs > nowMs + accessLimits.linkDays * 24 * hourMs;
  // Without a date there is no number to compare.
  if (!(endMs > Math.max(nowMs, startMsOf(starts, nowMs))) || isTooLong) {
    problems.add(period === 'custom' ? 'expires' : 'starts');
  }
  if (devices.trim() !== '' && !isWholeNumber(devices, accessLimits.viewers)) problems.add('devices');
  if (!PlayLinkAddress.safeParse(address).success) problems.add('address');
  return problems;
}

function endMsOf({ period, expires, starts }: LinkDraft, nowMs: number): number {
  return period === 'custom' ? Date.parse(expires) : Math.max(nowMs, startMsOf(starts, nowMs)) + periodMs[period];
}

function startMsOf(starts: string, nowMs: number): number {
  return starts === '' ? nowMs : Date.parse(starts);
}
