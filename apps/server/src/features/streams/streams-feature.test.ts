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

it('answers an empty list when nothing is live', async () => {
  const { call } = await open([]);
  expect(await call('mgmt/streams/query')).toMatchObject({ code: 0, data: { streams: [] } });
});

it('lists the newest first, and never the secret', async () => {
  const { call } = await open([
    liveStream({ name: 'old', publishedAt: '2026-01-01T00:00:00.000Z' }),
    liveStream({ name: 'new', clientId: 'c2', publishedAt: '2026-01-02T00:00:00.000Z', param: `?secret=${secret}` }),
  ]);
  const answer = await call('mgmt/streams/query');
  expect(answer.data).toEqual({
    streams: [
      {
        vhost: '__defaultVhost__',
        app: 'live',
        stream: 'new',
        param: '?secret=***',
        server_id: 'vid-1',
        client_id: 'c2',
        update: '2026-01-02T00:00:00.000Z',
      },
      {
        vhost: '__defaultVhost__',
        app: 'live',
        stream: 'old',
        server_id: 'vid-1',
        client_id: 'c1',
        update: '2026-01-01T00:00:00.000Z',
      },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain(secret);
});

it('says 502 while the engine is away: a remembered list would be a guess', async () => {
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
  'leaves everybody alone when %j is not live',
  async (change) => {
    const { call, mediaServer } = await open();
    expect(await call('mgmt/streams/kickoff', { ...target, ...change })).toMatchObject({ status: 404, code: 1003 });
    expect(mediaServer.kicked).toEqual([]);
  },
);

it('is content when the publisher left by itself just before', async () => {
  const { call, mediaServer } = await open();
  mediaServer.kick = async () => false;
  expect(await call('mgmt/streams/kickoff', { ...target, client_id: 'c1' })).toMatchObject({ code: 0 });
});

it.each(['vhost', 'app', 'stream'])('needs %s', async (field) => {
  const { call } = await open();
  expect(await call('mgmt/streams/kickoff', { ...target, [field]: '' })).toMatchObject({ status: 422, code: 1000 });
});

it('tells what arrives, where the media server tells it', async () => {
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

it('tells who was refused and why, until somebody gets through', async () => {
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

it('tells whom the engine refused by itself, and hides the secret in a name', async () => {
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
