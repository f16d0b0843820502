import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { helloVoices, roomsApi, type TalkUser as ShownUser, talkApi, talkLimits, talkPaths } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ai } from '../../ai/ai.ts';
import { audioType } from '../../ai/audio-type.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import { answerRange } from '../../core/http/answer-range.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { InterimPace } from '../../speech/interim/interim-pace.ts';
import { Answerer } from './answerer.ts';
import { CallRate } from './call-rate.ts';
import type { Conversation } from './conversation.ts';
import { ConversationFiles } from './conversation-files.ts';
import { Conversations } from './conversations.ts';
import { GuestSpeech, UtteranceRecogniser } from './guest-speech.ts';
import { HelloVoices } from './hello-voices.ts';
import { RoomMeter } from './room-meter.ts';
import { TalkAccess, type TalkRooms } from './talk-access.ts';
import { TalkService } from './talk-service.ts';
import type { TalkUser } from './talk-user.ts';

interface Context {
  readonly config: { readonly dataDir: string };
  readonly store: Store;
  readonly events: Events;
  readonly ai: Ai;
  readonly rooms: TalkRooms;
  readonly clock: Clock;
  readonly pace: InterimPace;
  readonly log: Log;
}

/** Interval of writes; a killed process loses at most this much. */
const saveEveryMs = 1000;

/** Guests of live rooms talk to an assistant. */
export async function talkFeature({ config, store, ai, rooms, clock, pace, ...context }: Context): Promise<Feature> {
  const log = context.log.child({ feature: 'talk' });
  const directory = join(config.dataDir, 'talk');
  const conversations = new Conversations(clock);
  const access = new TalkAccess({ rooms, conversations, clock });
  const answerer = new Answerer({ ai, clock, log });
  const recogniser = new UtteranceRecogniser({ ai, directory, clock, pace });
  const meter = new RoomMeter({ store, clock });
  const { roomCallsPerMinute, addressCallsPerMinute, roomLooksPerMinute, addressLooksPerMinute } = talkLimits;
  const speech = new GuestSpeech({
    recogniser,
    meter,
    rate: new CallRate(clock, { room: roomCallsPerMinute, network: addressCallsPerMinute }),
    looks: new CallRate(clock, { room: roomLooksPerMinute, network: addressLooksPerMinute }),
  });
  const service = new TalkService({ speech, answerer, clock, log });
  // Guests admitted under former settings are removed.
  context.events.on('room:changed', ({ uuid, room }) => {
    meter.changed(uuid, room);
    const conversation = conversations.ofRoom(uuid);
    const isOpen = room?.assistant === true && room.roomToken === conversation?.roomToken;
    if (conversation && !isOpen) conversations.close(conversation);
  });
  const files = new ConversationFiles({ directory, conversations, clock, log, rooms });
  await files.load();
  for (const conversation of conversations.all()) service.resume(conversation, await rooms.get(conversation.roomId));
  let isWritten = true;
  const saveChanges = async () => {
    conversations.sweep();
    const done = await Promise.allSettled([meter.flush(), files.save()]);
    const failed = done.find((one) => one.status === 'rejected');
    if (failed && isWritten) log.warn({ err: failed.reason }, 'conversations could not be saved, trying again');
    isWritten = failed === undefined;
  };
  const hello = new HelloVoices({ ai, directory, clock, log });
  return {
    routes: (http) => {
      const keep = (conversation: Conversation) => files.keep(conversation);
      talkRoutes(http, { access, rooms, conversations, service, hello, meter, clock, keep });
      audioRoutes(http, { access, hello, clock });
    },
    tasks: {
      talk: async (signal) => {
        while (!signal.aborted) {
          await clock.pause(saveEveryMs, signal).catch(() => undefined);
          await saveChanges();
        }
      },
    },
    alerts: () => meter.alerts(),
    close: async () => {
      await saveChanges();
      conversations.closeAll();
      hello.close();
    },
  };
}

interface AudioRoutesContext {
  readonly access: TalkAccess;
  readonly hello: HelloVoices;
  readonly clock: Clock;
}

type Query = Readonly<Record<string, unknown>>;

/** Audio for guests' pages. An audio element sends no headers, so the room's token is in the address. */
function audioRoutes(http: HttpApp, { access, hello, clock }: AudioRoutesContext): void {
  http.fastify.route<{ Querystring: Query }>({
    method: anyMethod,
    url: talkPaths.tts,
    handler: async (request, reply) => {
      const { query } = request;
      const [sid, spid, asid, room, roomToken] = ['sid', 'spid', 'asid', 'room', 'roomToken'].map((name) =>
        need(query, name),
      );
      const { conversation } = await access.conversation(
        { sid, room, roomToken } as Record<'sid' | 'room' | 'roomToken', string>,
        {
          caller: undefined,
        },
      );
      const listener = findListener(conversation, spid as string, clock);
      const audio = listener.has(asid as string) ? await conversation.answerAudio.get(asid as string) : undefined;
      return send(request, reply, { audio, version: asid as string, cache: 'private, max-age=600' });
    },
  });
  http.fastify.route<{ Params: { '*': string } }>({
    method: anyMethod,
    url: `${talkPaths.helloVoices}/*`,
    handler: async (request, reply) => {
      const { '*': asked } = request.params;
      const name = helloVoices.find((voice) => voice === asked || voice === `${asked}.aac`);
      const audio = name && (await hello.get(name));
      return send(request, reply, { audio, version: 'hello', cache: 'public, max-age=86400' });
    },
  });
}

function need(query: Query, name: string): string {
  const value = query[name];
  if (typeof value !== 'string' || value === '') throw new WeirError('missing_field', `empty ${name}`);
  return value;
}

interface Sent {
  readonly audio: Uint8Array | undefined;
  readonly version: string;
  readonly cache: string;
}

/** Sends audio with its real type, whatever the address requested. */
function send(request: FastifyRequest, reply: FastifyReply, { audio, version, cache }: Sent): FastifyReply {
  const type = audio && audioType(audio);
  if (!audio || !type) throw new WeirError('not_found', 'there is no such audio');
  const range = answerRange(request, reply, { type, cache }, { size: audio.length, version });
  return reply.send(range ? Buffer.from(audio.subarray(range.start, range.end + 1)) : null);
}

interface TalkRoutesContext {
  readonly access: TalkAccess;
  readonly rooms: TalkRooms;
  readonly conversations: Conversations;
  readonly service: TalkService;
  readonly hello: HelloVoices;
  readonly meter: RoomMeter;
  readonly clock: Clock;
  /** Saves a conversation. */
  readonly keep: (conversation: Conversation) => Promise<void>;
}

/** The calls of pages that talk in a room. */
function talkRoutes(http: HttpApp, context: TalkRoutesContext): void {
  const { access, rooms, conversations, service, hello, meter, clock, keep } = context;
  const withAudio = {
    bodyBytes: talkLimits.bodyBytes,
    knowsGuest: (headers: IncomingHttpHeaders) => access.knowsGuest(headers),
  };
  http.route(roomsApi.usage, async ({ uuid }) => meter.usage(await rooms.get(uuid)));
  http.route(roomsApi.guests, () => ({ rooms: conversations.guests() }));
  http.route(talkApi.verify, async (body, call) => {
    await access.room(body, call);
  });
  http.route(talkApi.start, async (body, call) => {
    const room = await access.room(body, call);
    if (!room.assistant) throw new WeirError('invalid_input', 'assistant disabled');
    const conversation = conversations.open(room);
    if (room.stage_uuid !== conversation.sid) await rooms.setStage(room.uuid, conversation.sid);
    hello.prepare();
    await rooms.noteUse(room.uuid);
    const { userId, secret } = conversation.enter(call.address, room.aiAsrLanguage, clock.elapsedMs());
    const { roomToken, aiAsrEnabled, aiAsrEdit, title } = room;
    return { sid: conversation.sid, roomToken, userId, userSecret: secret, aiAsrEnabled, aiAsrEdit, title };
  });
  http.route(talkApi.conversation, async (body, call) => {
    const { conversation } = await access.conversation(body, call);
    return { rid: conversation.begin().rid };
  });
  http.route(
    talkApi.upload,
    async (body, call) => {
      const { conversation, room } = await access.conversation(body, call);
      const said = await service.upload(conversation, room, access.user(conversation, body, call), body);
      await keep(conversation);
      return said;
    },
    withAudio,
  );
  http.route(
    talkApi.hear,
    async (body, call) => {
      const { conversation, room } = await access.conversation(body, call);
      return service.hear(conversation, room, access.user(conversation, body, call), body);
    },
    withAudio,
  );
  http.route(talkApi.query, async (body, call) => {
    const { conversation } = await access.conversation(body, call);
    const { isFinished: finished, problem, question } = conversation.round(body.rid);
    const { message = '', kind, fact = '' } = problem ?? {};
    const again = finished && problem !== undefined && question !== '';
    return { finished, message, why: kind ? { kind, fact } : null, again };
  });
  http.route(talkApi.subscribe, async (body, call) => {
    const room = await access.room(body, call);
    const conversation = conversations.ofRoom(room.uuid);
    if (!conversation) throw new WeirError('not_found', 'no stage in room');
    const { spid } = conversation.listen(call.address, clock.elapsedMs(), body.history);
    return { sid: conversation.sid, spid, voice: voiceFor(room.aiAsrLanguage) };
  });
  http.route(talkApi.messages, async (body, call) => {
    const { conversation } = await access.conversation(body, call);
    if (body.userId !== '' && conversation.users.has(body.userId)) access.user(conversation, body, call);
    const msgs = findListener(conversation, body.spid, clock).take(body.after);
    if (msgs.length > 0) conversation.touch();
    return { msgs, pending: conversation.isBusy };
  });
  http.route(talkApi.drop, async (body, call) => {
    const { conversation } = await access.conversation(body, call);
    findListener(conversation, body.spid, clock).drop(body.asid);
    conversation.sweep(clock.elapsedMs());
  });
  http.route(talkApi.user, async (body, call) => {
    const { conversation } = await access.conversation(body, call);
    return shown(access.user(conversation, body, call));
  });
  http.route(talkApi.updateUser, async (body, call) => {
    const { conversation } = await access.conversation(body, call);
    const user = access.user(conversation, body, call);
    user.name = body.name;
    user.language = body.lang;
    conversation.touch();
    return shown(user);
  });
}

function findListener(conversation: Conversation, spid: string, clock: Clock) {
  const subscriber = conversation.subscriber(spid);
  subscriber.seenAtMs = clock.elapsedMs();
  return subscriber;
}

function shown({ userId, name, language }: TalkUser): ShownUser {
  return { userId, ...(name && { username: name }), ...(language && { language }), voice: voiceFor(language) };
}

function voiceFor(language: string): (typeof helloVoices)[number] {
  return language === 'zh' ? 'hello-chinese.aac' : 'hello-english.aac';
}
