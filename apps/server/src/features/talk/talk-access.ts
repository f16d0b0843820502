import type { IncomingHttpHeaders } from 'node:http';
import { type Room, talkHeaders } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Call } from '../../core/http/call.ts';
import { sameText } from '../../core/same-text.ts';
import type { Stage } from './stage/stage.ts';
import type { Stages } from './stage/stages.ts';
import type { TalkUser } from './stage/talk-user.ts';

export interface TalkRooms {
  /** With the key of its provider. Throws when there is none. */
  get(uuid: string): Promise<Room>;
  setStage(uuid: string, sid: string): Promise<void>;
  /** After each change of a room, and when it is gone. */
  onRoom(listener: (uuid: string, room: Room | undefined) => void): void;
}

interface Key {
  readonly room: string;
  readonly roomToken: string;
}

/** Access to rooms: the administrator, and guests with the room's token. */
export class TalkAccess {
  readonly #rooms: TalkRooms;
  readonly #stages: Stages;
  readonly #clock: Clock;

  constructor({ rooms, stages, clock }: { readonly rooms: TalkRooms; readonly stages: Stages; readonly clock: Clock }) {
    this.#rooms = rooms;
    this.#stages = stages;
    this.#clock = clock;
  }

  async room({ room, roomToken }: Key, { caller }: Pick<Call, 'caller'>): Promise<Room> {
    if (room === '') throw new WeirError('missing_field', 'empty room id');
    const found = await this.#rooms.get(room);
    // A caller is the administrator, who was let in by another credential.
    if (!caller && !sameText(roomToken, found.roomToken)) throw new WeirError('token', 'invalid room token');
    return found;
  }

  /** Checks the room token in the headers of a request; undefined if they name no room, as those of older clients. */
  async knowsGuest(headers: IncomingHttpHeaders): Promise<true | undefined> {
    const { [talkHeaders.room]: room, [talkHeaders.roomToken]: roomToken } = headers;
    if (typeof room !== 'string' || typeof roomToken !== 'string') return undefined;
    await this.room({ room, roomToken }, { caller: undefined });
    return true;
  }

  async stage(
    { sid, room, roomToken }: Key & { readonly sid: string },
    call: Pick<Call, 'caller'>,
  ): Promise<{ stage: Stage; room: Room }> {
    const stage = this.#stages.get(sid);
    if (room !== '' && room !== stage.roomId) throw new WeirError('token', 'invalid room');
    return { stage, room: await this.room({ room: stage.roomId, roomToken }, call) };
  }

  /** The user who calls. */
  user(
    stage: Stage,
    { userId, userSecret }: { userId: string; userSecret: string },
    { caller, address }: Call,
  ): TalkUser {
    if (userId === '') throw new WeirError('missing_field', 'empty userId');
    const user = stage.user(userId, userSecret, caller ? undefined : address);
    user.seenAtMs = this.#clock.elapsedMs();
    return user;
  }
}
