import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { WeirError } from '../../../core/errors.ts';
import { pipelineUuid, segmentRow } from '../pipeline/segment-row.fixture.ts';
import { hlsRoutes, type OutputAccess } from './hls-routes.ts';

const playlists = [
  `overlay/${pipelineUuid}.m3u8`,
  `original/${pipelineUuid}.m3u8`,
  `webvtt/${pipelineUuid}.m3u8`,
  `webvtt/${pipelineUuid}/index.m3u8`,
  `webvtt/${pipelineUuid}/subtitles.m3u8`,
  `webvtt/${pipelineUuid}/subtitles-de.m3u8`,
];

/** Outputs of one stream with one segment, under a rule that lets in whoever shows this token. */
function open(mode: string, right: string) {
  const asked: Parameters<OutputAccess['judgeStream']>[] = [];
  const row = segmentRow({ stream: 'show' });
  const lane = { row: { uuid: pipelineUuid, seamsGone: 0 }, queue: () => [row] };
  const fastify = Fastify();
  onTestFinished(() => fastify.close());
  fastify.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof WeirError ? error.status : 500).send({}),
  );
  const context = {
    lanes: { load: async () => undefined, of: () => lane, all: [lane] },
    files: { org: () => '', overlay: () => '' },
    languages: () => ({ language: 'en', translations: ['de'] }),
    translations: { cuesIn: () => [] },
    access: {
      judgeStream: async (...call: Parameters<OutputAccess['judgeStream']>) => {
        asked.push(call);
        return { mode, refusal: mode === 'open' || call[1].token === right ? '' : 'no-token' };
      },
    },
  };
  hlsRoutes({ fastify }, context as unknown as Parameters<typeof hlsRoutes>[1]);
  const get = async (name: string, headers: Record<string, string> = {}) => {
    const url = `/terraform/v1/ai/transcript/hls/${name}`;
    const { statusCode, body } = await fastify.inject({ url, headers: { host: 'weir.test', ...headers } });
    return { statusCode, body };
  };
  return { get, asked };
}

it.each(playlists)('the output %s of a stream with a rule needs a playback token', async (name) => {
  const { get } = open('link', 'a.b.c');
  expect((await get(name)).statusCode).toBe(401);
  expect((await get(`${name}?token=x.y.z`)).statusCode).toBe(401);
  expect((await get(`${name}?token=a.b.c&token=a.b.c`)).statusCode).toBe(401);
  expect((await get(`${name}?token=a.b.c`)).statusCode).toBe(200);
  expect((await open('open', '').get(name)).statusCode).toBe(200);
});

it('the playlists that a master names carry the token of its viewer, and nothing else of the query', async () => {
  const { get } = open('link', 'a.b.c');
  const { body } = await get(`webvtt/${pipelineUuid}/index.m3u8?token=a.b.c&x="y`);
  expect(body.match(/m3u8[^"\n]*/g)).toEqual(new Array(3).fill('m3u8?token=a.b.c'));
  const plain = await open('open', '').get(`webvtt/${pipelineUuid}/index.m3u8`);
  expect(plain.body.match(/m3u8[^"\n]*/g)).toEqual(new Array(3).fill('m3u8'));
});

it('the rule learns of the site that shows an output, and outputs are closed where callbacks decide', async () => {
  const { get, asked } = open('link', 'a.b.c');
  await get(`${playlists[0]}?token=a.b.c`, { origin: 'https://thief.example:8443' });
  await get(`${playlists[0]}?token=a.b.c`, { origin: 'http://weir.test' });
  await get(`${playlists[0]}?token=a.b.c`);
  expect(asked.map(([, { site }]) => site)).toEqual(['thief.example', 'same', '']);
  expect(asked[0]?.[0]).toEqual({ vhost: '__defaultVhost__', app: 'live', name: 'show' });
  expect((await open('callback', 'a.b.c').get(`${playlists[0]}?token=a.b.c`)).statusCode).toBe(401);
});
