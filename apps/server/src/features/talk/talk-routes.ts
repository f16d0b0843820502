import type { IncomingHttpHeaders } from 'node:http';
import { type helloVoices, roomsApi, type TalkUser as ShownUser, talkApi, talkLimits } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Conversation } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import type { HelloVoices } from './hello-voices.ts';
import type { RoomMeter } from './room-meter.ts';
import type { TalkAccess, TalkRooms } from './talk-access.ts';
import type { TalkService } from './talk-service.ts';
import type { TalkUser } from './talk-user.ts';

interface Context {
  readonly access: TalkAccess;
  readonly rooms: TalkRooms;
  readonly stages: Conversations;
  readonly service: TalkService;
  readonly hello: HelloVoices;
  readonly meter: RoomMeter;
  readonly clock: Clock;
  /** Writes a conversation down. */
  readonly keep: (stage: Conversation) => Promise<void>;
}

/** The calls of pages that talk in a room. */
export function talkRoutes(http: HttpApp, context: Context): void {
  const { access, rooms, stages, service, hello, meter, clock, keep } = context;
  const withAudio = {
    bodyBytes: talkLimits.bodyBytes,
    knowsGuest: (headers: IncomingHttpHeaders) => access.knowsGuest(headers),
  };
  http.route(roomsApi.usage, async ({ uuid }) => meter.usage(await rooms.get(uuid)));
  http.route(roomsApi.guests, () => ({ rooms: stages.guests() }));
  http.route(talkApi.verify, async (body, call) => {
    await access.room(body, call);
  });
  http.route(talkApi.start, async (body, call) => {
    const room = await access.room(body, call);
    if (!room.assistant) throw new WeirError('invalid_input', 'assistant disabled');
    const stage = stages.open(room);
    if (room.stage_uuid !== stage.sid) await rooms.setStage(room.uuid, stage.sid);
    hello.prepare();
    await rooms.noteUse(room.uuid);
    const { userId, secret } = stage.enter(call.address, room.aiAsrLanguage, clock.elapsedMs());
    const { roomToken, aiAsrEnabled, aiAsrEdit, title } = room;
    return { sid: stage.sid, roomToken, userId, userSecret: secret, aiAsrEnabled, aiAsrEdit, title };
  });
  http.route(talkApi.conversation, async (body, call) => {
    const { stage } = await access.stage(body, call);
    return { rid: stage.begin().rid };
  });
  http.route(
    talkApi.upload,
    async (body, call) => {
      const { stage, room } = await access.stage(body, call);
      const said = await service.upload(stage, room, access.user(stage, body, call), body);
      await keep(stage);
      return said;
    },
    withAudio,
  );
  http.route(
    talkApi.hear,
    async (body, call) => {
      const { stage, room } = await access.stage(body, call);
      return service.hear(stage, room, access.user(stage, body, call), body);
    },
    withAudio,
  );
  http.route(talkApi.query, async (body, call) => {
    const { stage } = await access.stage(body, call);
    const { isFinished: finished, problem, question } = stage.round(body.rid);
    const { message = '', kind, fact = '' } = problem ?? {};
    const again = finished && problem !== undefined && question !== '';
    return { finished, message, why: kind ? { kind, fact } : null, again };
  });
  http.route(talkApi.subscribe, async (body, call) => {
    const room = await access.room(body, call);
    const stage = stages.ofRoom(room.uuid);
    if (!stage) throw new WeirError('not_found', 'no stage in room');
    const { spid } = stage.listen(call.address, clock.elapsedMs(), body.history);
    return { sid: stage.sid, spid, voice: voiceFor(room.aiAsrLanguage) };
  });
  http.route(talkApi.messages, async (body, call) => {
    const { stage } = await access.stage(body, call);
    if (body.userId !== '' && stage.users.has(body.userId)) access.user(stage, body, call);
    const msgs = findListener(stage, body.spid, clock).take(body.after);
    if (msgs.length > 0) stage.touch();
    return { msgs, pending: stage.isBusy };
  });
  http.route(talkApi.drop, async (body, call) => {
    const { stage } = await access.stage(body, call);
    findListener(stage, body.spid, clock).drop(body.asid);
    stage.sweep(clock.elapsedMs());
  });
  http.route(talkApi.user, async (body, call) => {
    const { stage } = await access.stage(body, call);
    return shown(access.user(stage, body, call));
  });
  http.route(talkApi.updateUser, async (body, call) => {
    const { stage } = await access.stage(body, call);
    const user = access.user(stage, body, call);
    user.name = body.name;
    user.language = body.lang;
    stage.touch();
    return shown(user);
  });
}

export function findListener(stage: Conversation, spid: string, clock: Clock) {
  const subscriber = stage.subscriber(spid);
  subscriber.seenAtMs = clock.elapsedMs();
  return subscriber;
}

function shown({ userId, name, language }: TalkUser): ShownUser {
  return { userId, ...(name && { username: name }), ...(language && { language }), voice: voiceFor(language) };
}

function voiceFor(language: string): (typeof helloVoices)[number] {
  return language === 'zh' ? 'hello-chinese.aac' : 'hello-english.aac';
}
