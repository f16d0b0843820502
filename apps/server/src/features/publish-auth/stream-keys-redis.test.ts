import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { RedisServer } from '../../../../../tests/redis-server.fixture.ts';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { RedisStore } from '../../core/store/redis/redis-store.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';

const log = createLog('test', 'error');
log.level = 'silent';
let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.close());

/** A server that keeps its settings in the database, with publishers over SRT. */
async function open(mediaServer: FakeMediaServer) {
  const store = new RedisStore(parseStoreAddress(redis.url) as RedisAddress, log);
  const server = await createReadyApp({ store, mediaServer });
  const publish = async (secret: string, stream: string, id: string) => {
    const client = { client_id: id, server_id: 'vid-1', ip: '198.51.100.7', app: 'live', stream };
    const param = `?secret=${secret}`;
    const answer = await server.hook('verify', { ...client, action: 'on_publish', protocol: 'srt', param });
    if (answer.code === 0) mediaServer.live.push(liveStream({ name: stream, clientId: id, param }));
    return answer.code;
  };
  return { ...server, publish };
}

it('stream keys and rules of play access are kept in Redis: the next leader knows who publishes, and ends the publisher of a revoked key', async () => {
  const mediaServer = new FakeMediaServer();
  const first = await open(mediaServer);
  const streams = ['live/stage-*'];
  const { key, secret } = (await first.call('hooks/srs/keys/create', { name: 'Stage B', streams, publishers: 2 })).data;
  const other = (await first.call('hooks/srs/keys/create', { name: 'Other', streams })).data;
  const rule = { pattern: '/live/stage-b', mode: 'password', password: 'open sesame' };
  expect((await first.call('mgmt/access/update', rule)).code).toBe(0);
  expect(await first.publish(secret, 'stage-b', 'c1')).toBe(0);
  expect(await first.publish(other.secret, 'stage-c', 'c2')).toBe(0);
  await first.close();

  const second = await open(mediaServer);
  const rows = (await second.call('hooks/srs/keys/query')).data.keys;
  expect(rows).toContainEqual(
    expect.objectContaining({ name: 'Stage B', live: [expect.objectContaining({ stream: 'stage-b' })] }),
  );
  expect((await second.call('mgmt/access/query')).data.rules).toMatchObject([{ mode: 'password', hasPassword: true }]);
  expect(await second.publish(secret, 'stage-d', 'c3')).toBe(0);
  expect(await second.publish(secret, 'stage-e', 'c4')).toBe(3000);
  expect((await second.call('hooks/srs/keys/revoke', { uuid: key.uuid })).code).toBe(0);
  await vi.waitFor(() => expect([...new Set(mediaServer.kicked)].sort()).toEqual(['c1', 'c3']));
  expect(await second.publish(secret, 'stage-b', 'c5')).toBe(3000);
});
