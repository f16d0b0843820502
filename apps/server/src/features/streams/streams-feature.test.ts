import { expect, it } from 'vitest';
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
