import type { Room, TalkMessage } from '@weir/contract';
import type { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { createReadyApp } from '../../app.ready.fixture.ts';

type ReadyApp = Awaited<ReturnType<typeof createReadyApp>>;

/** A guest's page: the calls that it makes, with what it was given. */
interface Guest {
  readonly start: Record<'sid' | 'userId' | 'userSecret' | 'spid', string>;
  say(
    text: string,
    more?: object,
  ): Promise<{ status: number; code: number; rid: string; asr: string; message: string }>;
  messages(more?: object): Promise<TalkMessage[]>;
  /** Until nothing more comes. */
  untilFinished(rid: string): Promise<string>;
  /** A call with this guest's ids; others may be given. */
  talk(path: string, body?: object): ReturnType<ReadyApp['post']>;
}

/** A server with a provider of AI, a room in it, and guests. */
export async function openTalk(
  provider: AiProvider,
  settings: Partial<Room> = {},
  options: Parameters<typeof createReadyApp>[0] = {},
) {
  const app = await createReadyApp(options);
  await app.call('mgmt/openai/update', { aiSecretKey: 'sk-0123456789abcdef', aiBaseURL: provider.baseURL });
  const { rooms } = (await app.call('live/room/list')).data;
  // A server that was here before has one.
  const made: Room = rooms[0] ?? (await app.call('live/room/create', { title: 'Talk' })).data;
  const room: Room = (await app.call('live/room/update', { uuid: made.uuid, aiName: 'Ada', ...settings })).data;
  const key = { room: room.uuid, roomToken: room.roomToken };
  const post = (path: string, body: object) => app.post(`/terraform/v1/ai-talk/${path}`, { ...key, ...body });

  async function enter(name = ''): Promise<Guest> {
    const start = (await post('stage/start', {})).data;
    const { spid } = (await post('subscribe/start', {})).data;
    const guest = returning({ sid: start.sid, userId: start.userId, userSecret: start.userSecret, spid });
    if (name !== '') await guest.talk('user/update', { name, lang: 'en' });
    return guest;
  }

  /** The page of somebody who was here before. */
  function returning(ids: Guest['start']): Guest {
    const talk = (path: string, body: object = {}) => post(path, { ...ids, ...body });
    return {
      start: ids,
      talk,
      async say(text, more = {}) {
        const { rid } = (await talk('stage/conversation')).data;
        const { status, code, data } = await talk('stage/upload', { rid, text, ...more });
        return { status, code, rid, asr: data.asr, message: data.message };
      },
      messages: async (more = {}) => (await talk('subscribe/query', more)).data.msgs,
      async untilFinished(rid) {
        for (;;) {
          const { finished, message } = (await talk('stage/query', { rid })).data;
          if (finished) return message;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      },
    };
  }
  return { ...app, room, key, talk: post, enter, returning };
}
