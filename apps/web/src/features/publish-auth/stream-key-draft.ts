import {
  PublishSecret,
  StreamKeyFields,
  type StreamKeyProtocol,
  type StreamKeyRow,
  streamKeyLimits,
} from '@weir/contract';
import { isWholeNumber } from '../../components/settings-form/number-field.tsx';
import { linesOf } from '../../lib/lines-of.ts';

/** Typed values. */
interface KeyDraft {
  readonly name: string;
  /** One per line. */
  readonly streams: string;
  readonly protocols: readonly StreamKeyProtocol[];
  /** Local date and time as browsers write it; empty for never. */
  readonly expires: string;
  /** Empty for any number. */
  readonly publishers: string;
  /** Own value of a new key; empty for a random one. */
  readonly secret: string;
}

export const blankDraft: KeyDraft = { name: '', streams: '', protocols: [], expires: '', publishers: '', secret: '' };

export function toDraft(key: StreamKeyRow): KeyDraft {
  return {
    name: key.name,
    streams: key.streams.join('\n'),
    protocols: key.protocols,
    expires: key.expiresAt === '' ? '' : toLocal(new Date(key.expiresAt)),
    publishers: key.publishers === 0 ? '' : String(key.publishers),
    secret: '',
  };
}

export function toFields({ name, streams, protocols, expires, publishers }: KeyDraft) {
  return {
    name: name.trim(),
    streams: linesOf(streams),
    protocols: [...protocols],
    expiresAt: expires === '' ? '' : new Date(expires).toISOString(),
    publishers: publishers.trim() === '' ? 0 : Number(publishers),
  };
}

type Problem = 'name' | 'streams' | 'pattern' | 'publishers' | 'secret';

/** The first problem of each field. */
export function findProblems(draft: KeyDraft): ReadonlySet<Problem> {
  const problems = new Set<Problem>();
  const streams = linesOf(draft.streams);
  if (!StreamKeyFields.shape.name.safeParse(draft.name).success) problems.add('name');
  if (streams.length === 0) problems.add('streams');
  else if (!StreamKeyFields.shape.streams.safeParse(streams).success) problems.add('pattern');
  const { publishers, secret } = draft;
  if (publishers.trim() !== '' && !isWholeNumber(publishers, streamKeyLimits.publishers)) problems.add('publishers');
  if (secret !== '' && !PublishSecret.safeParse(secret).success) problems.add('secret');
  return problems;
}

/** A stream that the key opens, for the URLs that are shown: the first exact one, else an example of a pattern. */
export function exampleStream(streams: readonly string[]): string {
  const exact = streams.find((pattern) => !/[*?[{\\]/.test(pattern));
  if (exact !== undefined) return exact;
  const simple = streams.find((pattern) => !/[?[{\\]|^\*\*/.test(pattern));
  return simple?.replace(/\*+/g, 'show') ?? 'live/show';
}

/** `2026-03-01T08:05` in the browser's time zone. */
function toLocal(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
