import { Glob, type PublishRefusal, type StreamKeyProtocol, streamKeyLimits } from '@weir/contract';
import { placeText, streamLabel, type WirePlace } from '@weir/streams';
import { namesSecret, shownSecret, showsSecret } from './publish-auth-rule.ts';
import type { StoredKey } from './stream-key-repository.ts';

export interface Attempt extends WirePlace {
  /** Query of the publisher's address. */
  readonly param: string;
  /** rtmp, srt or rtc; empty where the media server does not report it. */
  readonly protocol: string;
}

/** Secrets and keys that may open streams now. */
interface Credentials {
  readonly secret: string;
  /** The stream's own secret, of a room. Beside it only keys that name the stream open it. */
  readonly own: string | undefined;
  /** True if publishing needs no secret. */
  readonly isOpen: boolean;
  /** The key of this value, and whether it is the present one. */
  readonly findKey: (value: string) => FoundKey | undefined;
  /** Places that are published with a key now. */
  readonly placesOf: (key: StoredKey) => readonly WirePlace[];
  readonly nowMs: number;
}

export interface FoundKey {
  readonly key: StoredKey;
  readonly isPresent: boolean;
}

type Decision =
  | { readonly isAllowed: true; readonly key?: StoredKey; readonly isWithoutSecret?: boolean }
  | { readonly isAllowed: false; readonly reason: PublishRefusal; readonly key?: StoredKey };

/** The one rule about who may publish what: the stream's own secret or the publish secret, else a stream key, else whether anybody may. */
export function decidePublish(attempt: Attempt, credentials: Credentials): Decision {
  const { secret, own, isOpen, findKey } = credentials;
  if (showsSecret(attempt, own ?? secret)) return { isAllowed: true };
  const shown = shownSecret(attempt);
  const found = shown === undefined ? undefined : findKey(shown);
  const reason = found && refusalOf(found, attempt, credentials);
  if (found && reason === undefined) return { isAllowed: true, key: found.key };
  if (isOpen) return { isAllowed: true, isWithoutSecret: true };
  if (found && reason !== undefined) return { isAllowed: false, reason, key: found.key };
  return { isAllowed: false, reason: namesSecret(attempt) ? 'secret-wrong' : 'secret-missing' };
}

type Limits = Pick<Credentials, 'own' | 'placesOf' | 'nowMs'>;

function refusalOf({ key, isPresent }: FoundKey, attempt: Attempt, limits: Limits): PublishRefusal | undefined {
  if (key.revokedAt === '' && !isPresent) return 'key-replaced';
  const lasting = lastingRefusal(key, attempt, { isRoom: limits.own !== undefined, nowMs: limits.nowMs });
  if (lasting) return lasting;
  // A publisher that returns to its stream is not held back by its own former connection.
  const others = new Set(limits.placesOf(key).map(placeText));
  others.delete(placeText(attempt));
  return others.size >= (key.publishers || streamKeyLimits.publishers) ? 'key-full' : undefined;
}

/** Why a publisher may not go on with a key; undefined while it may. */
export function lastingRefusal(
  key: StoredKey,
  publish: WirePlace & { readonly protocol: string },
  { isRoom, nowMs }: { readonly isRoom: boolean; readonly nowMs: number },
): PublishRefusal | undefined {
  if (key.revokedAt !== '') return 'key-revoked';
  if (!key.enabled) return 'key-off';
  if (key.expiresAt !== '' && Date.parse(key.expiresAt) <= nowMs) return 'key-expired';
  const label = streamLabel(publish);
  if (!key.streams.some((pattern) => opens(pattern, label, isRoom))) return 'key-stream';
  // A protocol that is not reported cannot be one of those allowed.
  if (key.protocols.length > 0 && !key.protocols.includes(publish.protocol as StreamKeyProtocol)) return 'key-protocol';
  return undefined;
}

/** A pattern for many streams does not match a room's stream, which belongs to the room's owner. */
function opens(pattern: string, label: string, isRoom: boolean): boolean {
  if (!/[*?[{\\]/.test(pattern)) return pattern === label;
  const glob = Glob.parse(pattern);
  return !isRoom && typeof glob !== 'string' && glob.matches(label);
}
