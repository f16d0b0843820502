import { isPreviewTicket } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';

const secret = '0123456789abcdef0123456789abcdef';
const target = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };

async function open(live = [liveStream()]) {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = live;
  return createReadyApp({ mediaServer });
}

it('answers with an empty list when nothing is live', async () => {
  const { call } = await open([]);
  expect(await call('mgmt/streams/query')).toMatchObject({ code: 0, data: { streams: [], ended: [] } });
});

it('lists the newest first, and never the secret', async () => {
  const { call } = await open([
    liveStream({ name: 'old', publishedAt: '2026-01-01T00:00:00.000Z' }),
    liveStream({ name: 'new', clientId: 'c2', publishedAt: '2026-01-02T00:00:00.000Z', param: `?secret=${secret}` }),
  ]);
  const answer = await call('mgmt/streams/query');
  expect(answer.data).toEqual({
    ended: [],
    streams: [
      {
        vhost: '__defaultVhost__',
        app: 'live',
        stream: 'new',
        param: '?secret=***',
        server_id: 'vid-1',
        client_id: 'c2',
        update: '2026-01-02T00:00:00.000Z',
        verdict: 'none',
      },
      {
        vhost: '__defaultVhost__',
        app: 'live',
        stream: 'old',
        server_id: 'vid-1',
        client_id: 'c1',
        update: '2026-01-01T00:00:00.000Z',
        verdict: 'none',
      },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain(secret);
});

it('answers 502 while the engine is away instead of a remembered list', async () => {
  const { call, mediaServer } = await open();
  mediaServer.isAway = true;
  expect(await call('mgmt/streams/query')).toMatchObject({ status: 502, code: 1 });
  expect(await call('mgmt/streams/kickoff', target)).toMatchObject({ status: 502, code: 1 });
});

it('disconnects the publisher', async () => {
  const { call, mediaServer } = await open();
  expect(await call('mgmt/streams/kickoff', target)).toMatchObject({ status: 200, code: 0, data: null });
  expect(mediaServer.kicked).toEqual(['c1']);
  expect(await call('mgmt/streams/kickoff', target)).toMatchObject({ status: 404, code: 1003 });
});

it.each([{ vhost: 'other' }, { app: 'other' }, { stream: 'other' }, { client_id: 'one who left' }])(
  'disconnects no publisher when %j is not live',
  async (change) => {
    const { call, mediaServer } = await open();
    expect(await call('mgmt/streams/kickoff', { ...target, ...change })).toMatchObject({ status: 404, code: 1003 });
    expect(mediaServer.kicked).toEqual([]);
  },
);

it('succeeds when the publisher left by itself just before', async () => {
  const { call, mediaServer } = await open();
  mediaServer.kick = async () => false;
  expect(await call('mgmt/streams/kickoff', { ...target, client_id: 'c1' })).toMatchObject({ code: 0 });
});

it.each(['vhost', 'app', 'stream'])('needs %s', async (field) => {
  const { call } = await open();
  expect(await call('mgmt/streams/kickoff', { ...target, [field]: '' })).toMatchObject({ status: 422, code: 1000 });
});

it('reports the received media, where the media server reports it', async () => {
  const media = {
    protocol: 'srt',
    address: '198.51.100.7',
    viewers: 1,
    kbps: 2500,
    fps: 25,
    video: { codec: 'H264', profile: 'High', width: 1280, height: 720 },
    audio: null,
    bFrames: false,
  };
  const { call } = await open([liveStream({ media })]);
  expect((await call('mgmt/streams/query')).data.streams[0].media).toEqual(media);
});

const publisher = { client_id: 'c1', ip: '198.51.100.7', app: 'live', stream: 'show', protocol: 'rtmp' };

it('reports refused publishers with the reason, until one is accepted', async () => {
  const { call, hook } = await open([]);
  const secret: string = (await call('hooks/srs/secret/query')).data.publish;
  const publish = (param: string) => hook('verify', { ...publisher, action: 'on_publish', param });
  const attempts = async () => (await call('mgmt/streams/attempts')).data.attempts;
  expect(await attempts()).toEqual([]);

  await publish('');
  await publish('?secret=mistyped');
  await publish('?secret=mistyped again');
  const known = { vhost: '__defaultVhost__', app: 'live', stream: 'show', protocol: 'rtmp', address: '198.51.100.7' };
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  await vi.waitFor(async () =>
    expect(await attempts()).toEqual([
      { ...known, reason: 'secret-wrong', count: 2, at },
      { ...known, reason: 'secret-missing', count: 1, at },
    ]),
  );
  expect(JSON.stringify(await attempts())).not.toContain('mistyped');

  await publish(`?secret=${secret}`);
  await vi.waitFor(async () => expect(await attempts()).toEqual([]));
});

it('reports publishers that the engine refused, and hides the secret in a name', async () => {
  const { call, hook } = await open();
  const secret: string = (await call('hooks/srs/secret/query')).data.publish;
  const body = { ...publisher, action: 'on_publish_refused', stream: `show${secret.toUpperCase()}` };
  expect(await hook('verify', { ...body, reason: 'in-use' })).toMatchObject({ code: 0 });
  expect(await hook('verify', { ...body, reason: 'something else' })).toMatchObject({ status: 422 });
  await vi.waitFor(async () =>
    expect((await call('mgmt/streams/attempts')).data.attempts).toMatchObject([
      { stream: 'show[hidden]', reason: 'in-use', count: 1 },
    ]),
  );
});

it('does not report refused jobs of our own, but does report others that want their name', async () => {
  const { call, hook, events } = await open([]);
  const server = 'rtmp://127.0.0.1:1935/live';
  await call('ffmpeg/forward/secret', {
    action: 'update',
    platform: 'wx',
    server,
    secret: 'show?secret=old',
    enabled: true,
  });
  const heard = vi.fn();
  events.on('publish:refused', heard);
  const refuse = (ip: string) => hook('verify', { ...publisher, ip, action: 'on_publish', param: '?secret=old' });
  await refuse('127.0.0.1');
  await refuse('198.51.100.7');
  await vi.waitFor(async () => {
    expect(heard).toHaveBeenCalledTimes(2);
    const { attempts } = (await call('mgmt/streams/attempts')).data;
    expect(attempts).toMatchObject([{ address: '198.51.100.7', count: 1 }]);
  });
});

it('reports when a stream ended and how long it was live, until it is live again', async () => {
  const { call, events } = await open([]);
  const place = { ...target, param: '', serverId: 's', clientId: 'c' };
  const stream = { ...place, publishedAt: '2026-01-01T00:00:00.000Z' };
  const ended = async () => (await call('mgmt/streams/query')).data.ended;
  events.emit('stream:ended', stream);
  const { publishedAt } = stream;
  await vi.waitFor(async () =>
    expect(await ended()).toEqual([{ ...target, publishedAt, endedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]),
  );
  events.emit('stream:published', stream);
  await vi.waitFor(async () => expect(await ended()).toEqual([]));
});

it('gives the console a ticket for one stream, and no one else', async () => {
  const { call, post } = await open([]);
  const { query, expireAt } = (await call('mgmt/streams/preview', target)).data;
  const ticket = new URLSearchParams(query).get('weir-preview') ?? '';
  const now = Date.now();
  expect(isPreviewTicket(ticket, 'own-token', target, now)).toBe(true);
  expect(isPreviewTicket(ticket, 'own-token', { ...target, stream: 'other' }, now)).toBe(false);
  expect(isPreviewTicket(ticket, 'own-token', target, Date.parse(expireAt) + 1000)).toBe(false);
  expect(await post('/terraform/v1/mgmt/streams/preview', target)).toMatchObject({ status: 401 });
});
