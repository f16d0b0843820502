import { randomBytes } from 'node:crypto';
import { accessLimits } from '@weir/contract';
import type { PlaybackId, PlaybackKey, PlayRule, StreamPlace } from '@weir/streams';
import { defaultVhost, playModes, streamKey, tokenAlgorithms } from '@weir/streams';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Collection, Store } from '../../core/store/store.ts';

export const StoredRule = z.object({
  id: z.string(),
  pattern: z.string(),
  mode: z.enum(playModes),
  sites: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  maxViewers: z.number().default(0),
  maxPerLink: z.number().default(0),
  /** Hash of the password, and an id that changes with it. */
  password: z.string().default(''),
  passwordId: z.string().default(''),
  algorithm: z.enum(tokenAlgorithms).default('HS256'),
  secret: z.string().default(''),
  jwksUrl: z.string().default(''),
  publicKeys: z.array(z.object({ id: z.string(), publicKey: z.string() })).default([]),
});
export type StoredRule = z.output<typeof StoredRule>;

export const StoredLink = z.object({
  id: z.string(),
  label: z.string().default(''),
  playback: z.string(),
  /** Key that signed it. */
  key: z.string(),
  createdAt: z.string(),
  startsAt: z.string().default(''),
  expiresAt: z.string(),
  devices: z.number().default(0),
  address: z.string().default(''),
  revokedAt: z.string().default(''),
  lastUsedAt: z.string().default(''),
});
export type StoredLink = z.output<typeof StoredLink>;

const Rules = z.object({ rules: z.array(StoredRule).default([]) });
const Keys = z.object({ keys: z.array(z.object({ id: z.string(), secret: z.string() })).default([]) });
const Place = z.object({ vhost: z.string().default(defaultVhost), app: z.string(), name: z.string() });

/** Rules, links, signing keys and playback ids in the store. */
export class AccessRepository {
  readonly links: Collection<StoredLink>;
  readonly #rules: Setting<z.output<typeof Rules>>;
  readonly #keys: Setting<z.output<typeof Keys>>;
  readonly #playbacks: Collection<StreamPlace>;

  constructor(store: Store) {
    this.links = store.collection('access-links', StoredLink);
    this.#rules = store.setting('access/rules', Rules);
    this.#keys = store.setting('access/keys', Keys);
    this.#playbacks = store.collection('access-playbacks', Place);
  }

  async rules(): Promise<readonly StoredRule[]> {
    return (await this.#rules.read()).rules;
  }

  async updateRules(change: (rules: readonly StoredRule[]) => readonly StoredRule[]): Promise<void> {
    await this.#rules.update(({ rules }) => ({ rules: [...change(rules)] }));
  }

  /** The newest last; made when there is none. */
  async keys(): Promise<readonly PlaybackKey[]> {
    const { keys } = await this.#keys.read();
    if (keys.length > 0) return keys;
    return (await this.#keys.update((now) => (now.keys.length > 0 ? now : { keys: [newKey()] }))).keys;
  }

  /** Adds a key, and forgets those that no link needs. */
  async rotateKey(isNeeded: (id: string) => boolean): Promise<void> {
    await this.#keys.update(({ keys }) => ({ keys: [...keys.filter(({ id }) => isNeeded(id)), newKey()] }));
  }

  async playbacks(): Promise<readonly PlaybackId[]> {
    return (await this.#playbacks.list()).map(({ key, value }) => ({ id: key, place: value }));
  }

  placeOf(playback: string): Promise<StreamPlace | undefined> {
    return this.#playbacks.get(playback);
  }

  /** The playback id of a stream; made when it has none. To be called one at a time. */
  async playbackOf(place: StreamPlace): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const all = await this.playbacks();
    const known = all.find((each) => streamKey(each.place) === streamKey(place));
    if (known) return { id: known.id, isNew: false };
    if (all.length >= accessLimits.playbacks) {
      throw new WeirError('invalid_input', `at most ${accessLimits.playbacks} streams can have a playback id`);
    }
    const id = newPlaybackId();
    await this.#playbacks.put(id, place);
    return { id, isNew: true };
  }
}

/** A rule as the engine checks it. */
export function toPlayRule(rule: StoredRule): PlayRule {
  const { id, pattern, mode, sites, networks, maxViewers, maxPerLink, passwordId, algorithm, secret } = rule;
  const tokenKeys =
    algorithm === 'HS256'
      ? [{ id: '', algorithm, secret, publicKey: '' }].filter(() => secret !== '')
      : rule.publicKeys.map((key) => ({ ...key, algorithm, secret: '' }));
  return { id, pattern, mode, sites, networks, maxViewers, maxPerLink, passwordId, tokenKeys };
}

export function newId(): string {
  return randomBytes(12).toString('base64url');
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** 80 random bits in letters that are not easily confused. */
function newPlaybackId(): string {
  return Array.from(randomBytes(16), (byte) => letters[byte % letters.length]).join('');
}

function newKey(): PlaybackKey {
  return { id: newId(), secret: randomBytes(32).toString('base64url') };
}
