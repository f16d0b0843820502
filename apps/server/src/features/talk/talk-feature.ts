import { join } from 'node:path';
import { helloVoices, talkLimits, talkPaths } from '@weir/contract';
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
import { GuestSpeech } from './guest-speech.ts';
import { Hearing } from './hearing.ts';
import { HelloVoices } from './hello-voices.ts';
import { RoomMeter } from './room-meter.ts';
import { TalkAccess, type TalkRooms } from './talk-access.ts';
import { findListener, talkRoutes } from './talk-routes.ts';
import { TalkService } from './talk-service.ts';

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
const tendMs = 1000;

/** Guests of live rooms talk to an assistant. */
export async function talkFeature({ config, store, ai, rooms, clock, pace, ...context }: Context): Promise<Feature> {
  const log = context.log.child({ feature: 'talk' });
  const directory = join(config.dataDir, 'talk');
  const stages = new Conversations(clock);
  const access = new TalkAccess({ rooms, stages, clock });
  const answerer = new Answerer({ ai, clock, log });
  const hearing = new Hearing({ ai, directory, clock, pace });
  const meter = new RoomMeter({ store, clock });
  const { roomCallsPerMinute, addressCallsPerMinute, roomLooksPerMinute, addressLooksPerMinute } = talkLimits;
  const understanding = new GuestSpeech({
    hearing,
    meter,
    rate: new CallRate(clock, { room: roomCallsPerMinute, network: addressCallsPerMinute }),
    looks: new CallRate(clock, { room: roomLooksPerMinute, network: addressLooksPerMinute }),
  });
  const service = new TalkService({ understanding, answerer, clock, log });
  // Guests admitted under former settings are removed.
  context.events.on('room:changed', ({ uuid, room }) => {
    meter.changed(uuid, room);
    const stage = stages.ofRoom(uuid);
    const isOpen = room?.assistant === true && room.roomToken === stage?.roomToken;
    if (stage && !isOpen) stages.close(stage);
  });
  const files = new ConversationFiles({ directory, stages, clock, log, rooms });
  await files.load();
  for (const stage of stages.all()) service.resume(stage, await rooms.get(stage.roomId));
  let isWritten = true;
  const tend = async () => {
    stages.sweep();
    const done = await Promise.allSettled([meter.flush(), files.save()]);
    const failed = done.find((one) => one.status === 'rejected');
    if (failed && isWritten) log.warn({ err: failed.reason }, 'conversations could not be saved, trying again');
    isWritten = failed === undefined;
  };
  const hello = new HelloVoices({ ai, directory, clock, log });
  return {
    routes: (http) => {
      const keep = (stage: Conversation) => files.keep(stage);
      talkRoutes(http, { access, rooms, stages, service, hello, meter, clock, keep });
      audioRoutes(http, { access, hello, clock });
    },
    tasks: {
      talk: async (signal) => {
        while (!signal.aborted) {
          await clock.pause(tendMs, signal).catch(() => undefined);
          await tend();
        }
      },
    },
    alerts: () => meter.alerts(),
    close: async () => {
      await tend();
      stages.closeAll();
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
      const { stage } = await access.stage({ sid, room, roomToken } as Record<'sid' | 'room' | 'roomToken', string>, {
        caller: undefined,
      });
      const listener = findListener(stage, spid as string, clock);
      const audio = listener.has(asid as string) ? await stage.spoken.get(asid as string) : undefined;
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

/** Sent with its real type, not the requested one. */
function send(request: FastifyRequest, reply: FastifyReply, { audio, version, cache }: Sent): FastifyReply {
  const type = audio && audioType(audio);
  if (!audio || !type) throw new WeirError('not_found', 'there is no such audio');
  const range = answerRange(request, reply, { type, cache }, { size: audio.length, version });
  return reply.send(range ? Buffer.from(audio.subarray(range.start, range.end + 1)) : null);
}
