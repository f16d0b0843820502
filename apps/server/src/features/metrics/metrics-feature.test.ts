import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

const authorization = 'Bearer srs-v2-00000000000000000000000000000000';
const place = { vhost: '__defaultVhost__', app: 'live' };

async function open(metrics: string) {
  const mediaServer = new FakeMediaServer();
  const samples = { at: [1], columns: { inKbps: [4000], keyframeMs: [2000], rttMs: [null], flv: [3] } };
  mediaServer.samples = {
    server: { at: [1], columns: { inKbps: [4000], streams: [2], cpu: [0.5], flv: [3] } },
    streams: [
      { ...place, stream: 'show', isLive: true, samples },
      { ...place, stream: 'odd"\\\n{}', isLive: true, samples },
      { ...place, stream: 'over', isLive: false, samples },
    ],
  };
  mediaServer.listeners = [{ protocol: 'rtmp', port: 1935, ready: true, note: '' }];
  const app = await createReadyApp({ mediaServer, env: { WEIR_METRICS: metrics } });
  const get = (headers: Record<string, string> = {}, from = '192.0.2.9') =>
    app.inject({ method: 'GET', url: '/metrics', headers: { ...headers, 'x-forwarded-for': from } });
  return { ...app, mediaServer, get };
}

/** `name{label="value",…} number`, as the text format has it; labels may hold anything that is escaped. */
const line = /^weir_[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"(,[a-z]+="(?:[^"\\\n]|\\[\\"n])*")*\})? [-+0-9.e]+$/;

it('does not exist unless it was enabled', async () => {
  const { get } = await open('');
  expect((await get({ authorization })).body).not.toContain('weir_');
});

it('reports streams and server in base units, and the names given by publishers as text', async () => {
  const { get, mediaServer } = await open('bearer');
  expect((await get()).statusCode).toBe(401);
  const { body, headers, statusCode } = await get({ authorization });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = body.split('\n').filter((text) => text !== '' && !text.startsWith('#'));
  expect(lines.filter((text) => !line.test(text))).toEqual([]);
  const labels = 'vhost="__defaultVhost__",app="live",stream="show"';
  expect(lines).toContain(`weir_stream_receive_bytes_per_second{${labels}} 500000`);
  expect(lines).toContain(`weir_stream_keyframe_interval_seconds{${labels}} 2`);
  expect(lines).toContain(`weir_stream_viewers{${labels},protocol="flv"} 3`);
  expect(lines).toContain('weir_streams 2');
  expect(lines).toContain('weir_listener_up{protocol="rtmp"} 1');
  expect(body).toContain('stream="odd\\"\\\\\\n{}"');
  expect(body).not.toContain('stream="over"');
  expect(body).not.toContain('publisher_rtt_seconds{');
  mediaServer.isAway = true;
  await vi.waitFor(async () => expect((await get({ authorization })).body).toContain('weir_engine_up 0'));
});

it('queries the media server once, however many scrape at a time, and never for strangers', async () => {
  const { get, mediaServer } = await open('bearer');
  const asked = vi.spyOn(mediaServer, 'latestSamples');
  const strangers = await Promise.all(Array.from({ length: 50 }, () => get({ authorization: 'Bearer guess' })));
  expect(new Set(strangers.map(({ statusCode }) => statusCode))).not.toContain(200);
  expect(asked).not.toHaveBeenCalled();
  const scrapes = await Promise.all(Array.from({ length: 50 }, () => get({ authorization })));
  expect(new Set(scrapes.map(({ body }) => body)).size).toBe(1);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
});

it('reports at most two hundred streams, and no name can imitate another', async () => {
  const { get, mediaServer } = await open('bearer');
  const samples = { at: [1], columns: { inKbps: [8], flv: [1] } };
  const names = [
    'a"} 1\nweir_streams 666',
    'a",protocol="flv',
    '__proto__',
    'constructor',
    'a,vhost:b',
    '\u202e\u2028<b>',
  ];
  const many = Array.from({ length: 250 }, (_, n) => `s${n}`);
  mediaServer.samples = {
    server: { at: [1], columns: {} },
    streams: [...names, ...many].map((stream) => ({ ...place, stream, isLive: true, samples })),
  };
  const { body } = await get({ authorization });
  const lines = body.split('\n').filter((text) => text !== '' && !text.startsWith('#'));
  expect(lines.filter((text) => !line.test(text))).toEqual([]);
  const received = lines.filter((text) => text.startsWith('weir_stream_receive_bytes_per_second{'));
  expect(received).toHaveLength(200);
  expect(received.filter((text) => !/stream="s\d+"/.test(text))).toHaveLength(names.length);
  expect(body).not.toMatch(/^weir_streams 666/m);
});

it('the metrics page is open to the addresses that the operator listed, and to no other', async () => {
  const { get } = await open('10.0.0.0/8, 2001:db8::1');
  expect((await get({}, '10.1.2.3')).statusCode).toBe(200);
  expect((await get({}, '2001:db8::1')).statusCode).toBe(200);
  expect((await get({}, '::ffff:10.1.2.3')).statusCode).toBe(200);
  for (const address of [
    '11.1.2.3',
    '::ffff:11.1.2.3',
    '2001:db8::2',
    '::10.1.2.3',
    'fe80::1%eth0',
    '10.1.2.3, 11.1.2.3',
  ])
    expect([address, (await get({}, address)).statusCode]).toEqual([address, 401]);
  expect((await get({}, 'unknown')).statusCode).toBe(401);
  expect((await get({ authorization }, '11.1.2.3')).statusCode).toBe(200);
});
