import { expect, it } from 'vitest';
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

it('is not there unless it was asked for', async () => {
  const { get } = await open('');
  expect((await get({ authorization })).body).not.toContain('weir_');
});

it('tells of streams and server in base units, and of what publishers call themselves as text', async () => {
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
  expect((await get({ authorization })).body).toContain('weir_engine_up 0');
});

it('is open to the addresses that the operator listed, and to no other', async () => {
  const { get } = await open('10.0.0.0/8, 2001:db8::1');
  expect((await get({}, '10.1.2.3')).statusCode).toBe(200);
  expect((await get({}, '2001:db8::1')).statusCode).toBe(200);
  expect((await get({}, '11.1.2.3')).statusCode).toBe(401);
  expect((await get({}, 'unknown')).statusCode).toBe(401);
  expect((await get({ authorization }, '11.1.2.3')).statusCode).toBe(200);
});
