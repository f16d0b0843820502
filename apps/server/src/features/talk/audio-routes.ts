import { helloVoices, talkPaths } from '@weir/contract';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { TalkAccess } from './talk-access.ts';
import { listenerOf } from './talk-routes.ts';
import type { HelloVoices } from './voice/hello-voices.ts';

interface Context {
  readonly access: TalkAccess;
  readonly hello: HelloVoices;
  readonly clock: Clock;
}

type Query = Readonly<Record<string, unknown>>;

/** What pages of guests play. An audio element sends no headers, so the token of the room is in the address. */
export function audioRoutes(http: HttpApp, { access, hello, clock }: Context): void {
  http.fastify.route<{ Querystring: Query }>({
    method: anyMethod,
    url: talkPaths.tts,
    handler: async ({ query }, reply) => {
      const [sid, spid, asid, room, roomToken] = ['sid', 'spid', 'asid', 'room', 'roomToken'].map((name) =>
        need(query, name),
      );
      const { stage } = await access.stage({ sid, room, roomToken } as Record<'sid' | 'room' | 'roomToken', string>, {
        caller: undefined,
      });
      const listener = listenerOf(stage, spid as string, clock);
      const audio = listener.has(asid as string) ? await stage.spoken.get(asid as string) : undefined;
      if (!audio) throw new WeirError('not_found', 'there is no such audio');
      return send(reply, audio, 'private, max-age=600');
    },
  });
  http.fastify.route<{ Params: { '*': string } }>({
    method: anyMethod,
    url: `${talkPaths.helloVoices}/*`,
    handler: async ({ params }, reply) => {
      const asked = params['*'].includes('.') ? params['*'] : `${params['*']}.aac`;
      const name = helloVoices.find((voice) => voice === asked);
      const audio = name && (await hello.get(name));
      if (!audio) throw new WeirError('not_found', 'there is no such voice');
      return send(reply, audio, 'public, max-age=86400');
    },
  });
}

function need(query: Query, name: string): string {
  const value = query[name];
  if (typeof value !== 'string' || value === '') throw new WeirError('missing_field', `empty ${name}`);
  return value;
}

function send(reply: FastifyReply, audio: Uint8Array, cache: string): FastifyReply {
  return reply
    .headers({ 'content-type': 'audio/aac', 'cache-control': cache, 'x-content-type-options': 'nosniff' })
    .send(Buffer.from(audio.buffer, audio.byteOffset, audio.length));
}
