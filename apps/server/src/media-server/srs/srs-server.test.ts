import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@weir/plane/config';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { createMediaServer } from '../create-media-server.ts';

const stream = {
  id: 'vid-2',
  name: 'show.flv',
  vhost: 'vid-3',
  app: 'live',
  url: '/live/show',
  live_ms: 1_794_866_377_142,
  clients: 2,
  kbps: { recv_30s: 128, send_30s: 1 },
  publish: { active: true, cid: '7a2u19f0' },
  video: { codec: 'H264', profile: 'High', level: '1.2', width: 320, height: 180 },
  audio: { codec: 'AAC', sample_rate: 44_100, channel: 2, profile: 'LC' },
};

/** Answers as SRS 6.0.157 did, and remembers what it was asked. */
async function open(changed: Record<string, object> = {}) {
  const answers: Record<string, object> = {
    '/api/v1/versions': { code: 0, service: 'run-1', data: { version: '6.0.157' } },
    '/api/v1/summaries': { code: 0, data: { self: { srs_uptime: 90 } } },
    '/api/v1/features': { code: 0, data: { options2: '--hls=on --srt=on --sys-srt=on --rtc=off' } },
    '/api/v1/streams/': { code: 0, server: 'vid-1', streams: [stream] },
    '/api/v1/vhosts/': { code: 0, vhosts: [{ id: 'vid-3', name: 'studio.example.com' }] },
    '/api/v1/clients/7a2u19f0': { code: 0, client: { ip: '198.51.100.7', type: 'fmle-publish', alive: 15.5 } },
    ...changed,
  };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push(`${request.method} ${path} ${request.headers.authorization ?? ''}`.trim());
    if (path === '/api/v1/streams') response.writeHead(302, { location: '/api/v1/streams/' }).end('Redirect');
    else response.end(JSON.stringify(answers[path] ?? { code: 2049 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const config = parseConfig(
    { WEIR_ENGINE: 'srs', WEIR_SRS_API: `http://ann:s%3A3@127.0.0.1:${port}` },
    { cwd: '/', version: '' },
  );
  const sockets = { engine: join(tmpdir(), 'weir-no-front-door'), server: '' };
  return { srs: createMediaServer({ config, sockets }, systemClock), asked, answers };
}

it('distinguishes one run from the next, and knows the protocols it was built with', async () => {
  const { srs, answers } = await open();
  const { startedAt, listeners } = await srs.health();
  expect(Math.abs(Date.now() - 90_000 - Date.parse(startedAt))).toBeLessThan(30_000);
  expect(listeners.map(({ protocol, port, note }) => `${protocol} ${port} ${note}`)).toEqual([
    'rtmp 1935 ',
    'srt 10080 ',
    'rtc 8000 unsupported',
  ]);
  expect((await srs.health()).startedAt).toBe(startedAt);
  answers['/api/v1/versions'] = { code: 0, service: 'run-2' };
  answers['/api/v1/summaries'] = { code: 0, data: { self: { srs_uptime: 1 } } };
  expect((await srs.health()).startedAt).not.toBe(startedAt);
});

it('lists streams by their right name, with a constant start time', async () => {
  const { srs, asked } = await open();
  const [live] = await srs.streams();
  expect(live).toMatchObject({
    vhost: 'studio.example.com',
    app: 'live',
    name: 'show',
    serverId: 'vid-1',
    clientId: '7a2u19f0',
    media: { protocol: 'rtmp', address: '198.51.100.7', viewers: 1, kbps: 128, video: { width: 320 } },
  });
  expect(Math.abs(Date.now() - 15_500 - Date.parse(live?.publishedAt ?? ''))).toBeLessThan(30_000);
  expect((await srs.streams())[0]?.publishedAt).toBe(live?.publishedAt);
  // Vhosts and the publisher once; the list each time; the credential always.
  const basic = `Basic ${Buffer.from('ann:s:3').toString('base64')}`;
  expect(asked).toEqual(
    ['/api/v1/streams/', '/api/v1/vhosts/', '/api/v1/clients/7a2u19f0', '/api/v1/streams/'].map(
      (path) => `GET ${path} ${basic}`,
    ),
  );
});

it('follows the redirect of SRS to its lists', async () => {
  const { srs } = await open();
  const answer = await srs.api('GET', '/api/v1/streams?count=1', undefined);
  expect(JSON.parse((await answer.toArray()).join(''))).toMatchObject({ streams: [{ name: 'show.flv' }] });
});

it('succeeds for a client that has already left', async () => {
  const { srs } = await open();
  expect(await srs.kick('nobody')).toBe(false);
  expect(await srs.kick('7a2u19f0')).toBe(true);
});

it.each([[{ code: 7 }], [{ streams: 'none' }]])('refuses %j as a list', async (answer) => {
  const { srs } = await open({ '/api/v1/streams/': answer });
  await expect(srs.streams()).rejects.toMatchObject({ kind: 'engine_unreachable' });
});
