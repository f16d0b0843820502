import { randomBytes, randomUUID } from 'node:crypto';
import { type StreamKeyFields, type StreamKeyRow, streamKeyLimits, type streamKeysApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import { placeText, streamLabel, type WirePlace } from '@weir/streams';
import type * as z from 'zod';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { sameText } from '../../core/same-text.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';
import { type FoundKey, lastingRefusal } from './publish-decision.ts';
import type { LiveUse, StoredKey, StreamKeyRepository } from './stream-key-repository.ts';

/** Publishers that no longer may are looked for this often, and those that vanished unannounced. */
const checkMs = 1000;
const reconcileMs = 5000;
/** Longer than an accepted publisher can take from the answer of its hook to the engine's list. */
const settleMs = 6000;

/** A publisher in a hook's words. */
export interface Client extends WirePlace {
  readonly client_id: string;
  readonly protocol: string;
  readonly ip: string;
}

interface Context {
  readonly keys: StreamKeyRepository;
  readonly mediaServer: Pick<MediaServer, 'streams' | 'programs' | 'kick'>;
  readonly rooms: { secretOf(stream: string): Promise<string | undefined> };
  /** Secrets that are not stream keys: a key of the same value would never be told from them. */
  readonly otherSecrets: () => Promise<readonly string[]>;
  readonly timeline: Pick<Timeline, 'note'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Named stream keys as their owner sets them, and who publishes with them. */
export class StreamKeys {
  readonly #context: Context;
  readonly #keys: StreamKeyRepository;
  readonly #turns = new Mutex();

  constructor(context: Context) {
    this.#context = context;
    this.#keys = context.keys;
  }

  async list(): Promise<StreamKeyRow[]> {
    await this.#keys.load();
    const order = ({ createdAt, uuid }: StoredKey) => createdAt + uuid;
    const all = this.#keys.keys().filter(({ revokedAt }) => revokedAt === '');
    return all.sort((a, b) => (order(a) < order(b) ? 1 : -1)).map((key) => this.#shown(key));
  }

  create({ secret, ...fields }: StreamKeyFields & { readonly secret: string }) {
    return this.#change(async () => {
      const named = this.#keys.keys().filter(({ revokedAt }) => revokedAt === '');
      if (named.length >= streamKeyLimits.keys) {
        throw new WeirError(
          'invalid_input',
          `there can be at most ${streamKeyLimits.keys} stream keys, revoke one first`,
        );
      }
      this.#checkName(fields.name);
      const value = await this.#freeValue(secret);
      const uuid = randomUUID();
      const times = { createdAt: isoNow(this.#context.clock), rotatedAt: '', revokedAt: '' };
      const key = { ...fields, ...times, uuid, hash: this.#keys.hashOf(value), replaced: [] };
      await this.#keys.put(key);
      this.#context.log.info({ uuid, keyName: key.name }, 'stream key created');
      return { key: this.#shown(key), secret: value };
    });
  }

  update({ uuid, ...change }: z.output<typeof streamKeysApi.update.body>): Promise<StreamKeyRow> {
    return this.#change(async () => {
      const before = this.#get(uuid);
      if (change.name !== undefined) this.#checkName(change.name, uuid);
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      const key: StoredKey = { ...before, ...Object.fromEntries(given) };
      await this.#keys.put(key);
      this.#context.log.info({ uuid, keyName: key.name, fields: given.map(([name]) => name) }, 'stream key changed');
      return this.#shown(key);
    });
  }

  rotate({ uuid, secret }: { readonly uuid: string; readonly secret: string }) {
    return this.#change(async () => {
      const before = this.#get(uuid);
      const value = await this.#freeValue(secret);
      const replaced = [before.hash, ...before.replaced].slice(0, streamKeyLimits.replaced);
      const rotatedAt = isoNow(this.#context.clock);
      const key = { ...before, hash: this.#keys.hashOf(value), replaced, rotatedAt };
      await this.#keys.put(key);
      this.#context.log.info({ uuid, keyName: key.name }, 'stream key rotated');
      return { key: this.#shown(key), secret: value };
    });
  }

  revoke(uuid: string): Promise<void> {
    return this.#change(async () => {
      const key = this.#get(uuid);
      await this.#keys.put({ ...key, revokedAt: isoNow(this.#context.clock) });
      this.#context.log.info({ uuid, keyName: key.name }, 'stream key revoked');
      const revoked = this.#keys.keys().filter(({ revokedAt }) => revokedAt !== '');
      const oldest = revoked.sort((a, b) => (a.revokedAt < b.revokedAt ? -1 : 1));
      const spare = oldest.slice(0, Math.max(0, oldest.length - streamKeyLimits.revoked));
      // A key in use is needed to disconnect its publishers.
      for (const one of spare) if (this.#keys.usesOf(one.uuid).live.length === 0) await this.#keys.delete(one.uuid);
    });
  }

  /** The key of a value; call `load` before. */
  find(value: string): FoundKey | undefined {
    return this.#keys.find(this.#keys.hashOf(value));
  }

  load(): Promise<void> {
    return this.#keys.load();
  }

  placesOf(key: StoredKey): readonly WirePlace[] {
    return this.#keys.usesOf(key.uuid).live;
  }

  /** A publisher was accepted with this key and counts from now on; `came` keeps it. */
  take({ uuid, hash }: StoredKey, client: Client): void {
    const { last, live } = this.#keys.usesOf(uuid);
    const { vhost, app, stream, protocol, ip, client_id } = client;
    const at = isoNow(this.#context.clock);
    const use = { at, vhost, app, stream, protocol, address: ip, clientId: client_id, hash };
    this.#keys.note(uuid, { last, live: [...live.filter((one) => !isOf(one, client)), use] });
  }

  /** Its publishing begins. Resolves once that survives a restart. */
  async came(client: Client): Promise<void> {
    for (const { uuid } of this.#keys.keys()) {
      const { live } = this.#keys.usesOf(uuid);
      const use = live.find((one) => isOf(one, client));
      if (!use) continue;
      const { clientId: _client, hash: _hash, ...last } = use;
      this.#keys.note(uuid, { last, live });
      await this.#keys.saveUses(uuid);
    }
  }

  /** A publisher is gone, or was refused after all. */
  left(client: Pick<Client, 'client_id' | keyof WirePlace>): void {
    this.#forget((one) => isOf(one, client));
  }

  /** Name of the key that a stream is published with; empty without one. A program's stream has that of its input. */
  nameOf(client: Pick<Client, 'client_id' | keyof WirePlace>): string {
    const all = this.#keys.keys().map(({ uuid, name }) => ({ name, live: this.#keys.usesOf(uuid).live }));
    const own = all.find(({ live }) => live.some((one) => isOf(one, client)));
    const found = own ?? all.find(({ live }) => live.some((one) => placeText(one) === placeText(client)));
    return found?.name ?? '';
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    let reconciledMs = clock.elapsedMs();
    while (!signal.aborted) {
      try {
        await this.#keys.load();
        await this.enforce();
        if (clock.elapsedMs() - reconciledMs >= reconcileMs) {
          reconciledMs = clock.elapsedMs();
          await this.#reconcile();
        }
      } catch (error) {
        log.debug({ err: error }, 'publishers with stream keys could not be checked');
      }
      await clock.pause(checkMs, signal).catch(() => undefined);
    }
  }

  /** Ends publishers whose key no longer allows them. Done again until they are gone. */
  async enforce(): Promise<void> {
    const { rooms, mediaServer, clock, timeline, log } = this.#context;
    for (const key of this.#keys.keys()) {
      for (const use of this.#keys.usesOf(key.uuid).live) {
        const isRoom = (await rooms.secretOf(use.stream)) !== undefined;
        const lasting = lastingRefusal(key, use, { isRoom, nowMs: clock.dateMs() });
        const reason = lasting ?? (use.hash === key.hash ? undefined : 'key-replaced');
        if (!reason || !(await mediaServer.kick(use.clientId))) continue;
        log.info({ stream: streamLabel(use), keyName: key.name, reason }, 'publisher disconnected');
        timeline.note(use, { what: 'publisher-kicked', facts: { reason, keyName: key.name } });
      }
    }
  }

  /** Their end may have been lost with the engine, or have come while this process was away. */
  async #reconcile(): Promise<void> {
    if (this.#keys.keys().every(({ uuid }) => this.#keys.usesOf(uuid).live.length === 0)) return;
    const { mediaServer, clock } = this.#context;
    const askedMs = clock.dateMs();
    const [streams, programs] = await Promise.all([mediaServer.streams(), mediaServer.programs()]);
    const there = new Set([
      ...streams.map(({ clientId }) => clientId),
      ...programs.flatMap(({ inputs }) => inputs.map(({ clientId }) => clientId)),
    ]);
    this.#forget(({ clientId, at }) => !there.has(clientId) && askedMs - Date.parse(at) >= settleMs);
  }

  #forget(isGone: (use: LiveUse) => boolean): void {
    for (const { uuid } of this.#keys.keys()) {
      const { last, live } = this.#keys.usesOf(uuid);
      const left = live.filter((use) => !isGone(use));
      if (left.length === live.length) continue;
      this.#keys.note(uuid, { last, live: left });
      // A use that could not be written is detected again after a restart.
      this.#keys.saveUses(uuid).catch(() => undefined);
    }
  }

  async #change<T>(change: () => Promise<T>): Promise<T> {
    const done = await this.#turns.take(async () => {
      await this.#keys.load();
      return change();
    });
    // An engine that is away has no publishers, and is asked again.
    await this.enforce().catch(() => undefined);
    return done;
  }

  #get(uuid: string): StoredKey {
    const key = this.#keys.get(uuid);
    if (key?.revokedAt !== '') throw new WeirError('not_found', 'there is no such stream key');
    return key;
  }

  #checkName(name: string, uuid = ''): void {
    const isTaken = this.#keys
      .keys()
      .some((key) => key.uuid !== uuid && key.revokedAt === '' && key.name.toLowerCase() === name.toLowerCase());
    if (isTaken) throw new WeirError('invalid_input', 'name: another stream key has this name');
  }

  async #freeValue(wanted: string): Promise<string> {
    const value = wanted || randomBytes(16).toString('hex');
    const others = await this.#context.otherSecrets();
    if (this.find(value) || others.some((other) => sameText(other, value))) {
      throw new WeirError('invalid_input', 'secret: is or was another key of this server, choose a new one');
    }
    return value;
  }

  #shown({ hash: _hash, replaced: _replaced, revokedAt: _revoked, ...key }: StoredKey): StreamKeyRow {
    const { last, live } = this.#keys.usesOf(key.uuid);
    return { ...key, last, live: live.map(({ clientId: _client, hash: _value, ...use }) => use) };
  }
}

function isOf(use: LiveUse, { client_id, ...place }: Pick<Client, 'client_id' | keyof WirePlace>): boolean {
  return use.clientId === client_id && placeText(use) === placeText(place);
}
