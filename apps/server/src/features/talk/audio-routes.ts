import { helloVoices, talkPaths } from '@weir/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { audioType } from '../../ai/audio-type.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { answerRange } from '../../core/http/answer-range.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { TalkAccess } from './talk-access.ts';
import { findListener } from './talk-routes.ts';
import type { HelloVoices } from './voice/hello-voices.ts';

interface Context {
  readonly access: TalkAccess;
  readonly hello: HelloVoices;
  readonly clock: Clock;
}

type Query = Readonly<Record<string, unknown>>;

/** Audio for guests' pages. An audio element sends no headers, so the room's token is in the address. */
export function audioRoutes(http: HttpApp, { access, hello, clock }: Context): void {
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
