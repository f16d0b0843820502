import { randomBytes, randomUUID } from 'node:crypto';
import { maskKey, Room, type RoomChange, roomLimits, roomsApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { ProviderChoice } from '../../ai/ai.ts';
import { keptKey } from '../../ai/kept-key.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';

interface Context {
  readonly store: Store;
  readonly events: Events;
  /** Passes the changed secrets to the redactors of the logs. */
  readonly announceSecrets: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A room that is used all the time is written down this often. */
const useNoteMs = 60_000;

/** Live rooms as stored: each has a stream name that only its own secret opens. */
class RoomsService {
  readonly #rooms: Collection<Room>;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Two rooms with one stream name would have one secret between them. */
  readonly #turns = new Mutex();
  /** Cached rooms: unauthorised publishers must not cause reads of the store. */
  #known: readonly Room[] | undefined;
  readonly #events: Events;
  readonly #announceSecrets: Context['announceSecrets'];
  /** Elapsed time of the last noted use by room. */
  readonly #noted = new Map<string, number>();

  constructor({ store, events, announceSecrets, clock, log }: Context) {
    this.#rooms = store.collection('rooms', Room);
    this.#events = events;
    this.#announceSecrets = announceSecrets;
    this.#clock = clock;
    this.#log = log;
    events.on('stream:published', ({ app, stream }) => this.#notePublished(app, stream));
  }

  /** Secret for publishing under this name; undefined if it belongs to no room. */
  async secretOf(stream: string): Promise<string | undefined> {
    return (await this.#all()).find((room) => room.stream === stream)?.secret;
  }

  async secrets(): Promise<string[]> {
    return (await this.#all()).map(({ secret }) => secret);
  }

  /** Providers of rooms with their keys; not for display. */
  async providers(): Promise<ProviderChoice[]> {
    return (await this.#all()).map(({ aiSecretKey, aiBaseURL, aiOrganization }) => ({
      secretKey: aiSecretKey,
      baseURL: aiBaseURL,
      organization: aiOrganization,
    }));
  }

  async list(): Promise<Room[]> {
    const rooms = await this.#all();
    const order = ({ created_at, uuid }: Room) => created_at + uuid;
    return rooms.toSorted((a, b) => (order(a) < order(b) ? 1 : -1)).map(shown);
  }

  async query(uuid: string): Promise<Room> {
    return shown(await this.get(uuid));
  }

  create(title: string): Promise<Room> {
    return this.#turns.take(async () => {
      if ((await this.#all()).length >= roomLimits.rooms)
        throw new WeirError('invalid_input', `there can be at most ${roomLimits.rooms} rooms, remove one first`);
      const room = Room.parse({
        uuid: randomUUID(),
        title,
        stream: randomBytes(6).toString('hex'),
        secret: randomBytes(8).toString('hex').toUpperCase(),
        roomToken: randomUUID(),
        created_at: isoNow(this.#clock),
      });
      await this.#put(room);
      this.#log.info({ room: room.uuid, stream: room.stream }, 'room created');
      await this.#notify();
      return shown(room);
    });
  }

  update({ uuid = '', ...change }: RoomChange): Promise<Room> {
    return this.#turns.take(async () => {
      const before = await this.get(uuid);
      // External input has no fields without a value.
      const merged: Room = { ...before, ...(change as Partial<Room>) };
      const room = { ...merged, aiSecretKey: keptKey(toProviderChoice(before), toProviderChoice(merged)) };
      const others = (await this.#all()).filter((other) => other.uuid !== uuid);
      if (others.some(({ stream }) => stream === room.stream))
        throw new WeirError('invalid_input', 'another room has this stream name');
      await this.#put(room);
      this.#events.emit('room:changed', { uuid, room });
      if (room.stream !== before.stream || room.secret !== before.secret) await this.#notify();
      return shown(room);
    });
  }

  /** The conversation that goes on in it. */
  async setStage(uuid: string, stage: string): Promise<void> {
    await this.#turns.take(async () => this.#put({ ...(await this.get(uuid)), stage_uuid: stage }));
  }

  /** Remembers that a stream was published or a guest joined. */
  async noteUse(uuid: string): Promise<void> {
    const now = this.#clock.elapsedMs();
    if (now - (this.#noted.get(uuid) ?? Number.NEGATIVE_INFINITY) < useNoteMs) return;
    this.#noted.set(uuid, now);
    await this.#turns.take(async () => this.#put({ ...(await this.get(uuid)), used_at: isoNow(this.#clock) }));
  }

  /** Links that were handed out are worth nothing from now on. */
  rotate(uuid: string): Promise<Room> {
    return this.update({ uuid, roomToken: randomUUID() });
  }

  remove(uuid: string): Promise<void> {
    return this.#turns.take(async () => {
      await this.get(uuid);
      await this.#rooms.delete(uuid);
      this.#known = undefined;
      this.#noted.delete(uuid);
      this.#events.emit('room:changed', { uuid, room: undefined });
      this.#log.info({ room: uuid }, 'room removed');
      await this.#notify();
    });
  }

  /** With the key of its provider: not for showing. */
  async get(uuid: string): Promise<Room> {
    const room = uuid === '' ? undefined : await this.#rooms.get(uuid);
    if (!room) throw new WeirError('not_found', 'there is no such room');
    return room;
  }

  async #notePublished(app: string, stream: string): Promise<void> {
    const room = app === 'live' && (await this.#all()).find((one) => one.stream === stream);
    if (room) await this.noteUse(room.uuid);
  }

  async #all(): Promise<readonly Room[]> {
    this.#known ??= (await this.#rooms.list()).map(({ value }) => value);
    return this.#known;
  }

  async #put(room: Room): Promise<void> {
    this.#known = undefined;
    await this.#rooms.put(room.uuid, room);
    // Another caller may have loaded it since.
    this.#known = undefined;
  }

  async #notify(): Promise<void> {
    await this.#announceSecrets().catch(() => undefined);
  }
}

/** Room without its provider key, which leaves the store only towards that provider. */
function shown(room: Room): Room {
  return { ...room, aiSecretKey: maskKey(room.aiSecretKey) };
}

/** Live rooms: a stream name with a secret of its own, and what belongs to it. */
export function roomsFeature(context: Context): Feature & { readonly service: RoomsService } {
  const service = new RoomsService({ ...context, log: context.log.child({ feature: 'rooms' }) });
  return {
    routes: (http) => {
      http.route(roomsApi.create, ({ title }) => service.create(title));
      http.route(roomsApi.query, ({ uuid }) => service.query(uuid));
      http.route(roomsApi.update, (change) => service.update(change));
      http.route(roomsApi.list, async () => ({ rooms: await service.list() }));
      http.route(roomsApi.remove, ({ uuid }) => service.remove(uuid));
      http.route(roomsApi.rotate, ({ uuid }) => service.rotate(uuid));
    },
    service,
  };
}
