import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { S3Server } from '../../../../../tests/s3.fixture.ts';
import { until } from '../../../../../tests/weir.fixture.ts';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { UploadQueue } from '../../uploads/upload-queue.ts';
import { cloudFeature } from './cloud-feature.ts';
import { FakeTencent } from './tencent.fixture.ts';
import { signCall } from './tencent-api.ts';

let s3: S3Server;
let tencent: FakeTencent;
beforeAll(async () => {
  s3 = await S3Server.start();
});
afterAll(() => s3.close());
beforeEach(async () => {
  tencent = await FakeTencent.start(s3.bucket.endpoint);
  onTestFinished(() => tencent.close());
});

const log = createLog('test', 'error');
log.level = 'silent';
const key = { secretId: 'S3RVER', secretKey: 'S3RVER', region: 'ap-beijing' };

/** The feature over a store and a directory that may outlive it, fed by hand. */
function cloudIn(
  home = { store: new MemoryStore(), dataDir: mkdtempSync(join(tmpdir(), 'weir-cloud-')) },
  silenceMs = 300_000,
) {
  const outgoing = new OutgoingClient();
  const { store, dataDir } = home;
  const uploads = new UploadQueue({ directory: join(dataDir, 'uploads'), store, outgoing, log, clock: systemClock });
  const cloud = cloudFeature({
    store,
    config: { filesDir: dataDir },
    clock: systemClock,
    outgoing,
    segments: { changed: async () => undefined },
    uploads,
    log,
    places: tencent.places,
    silenceMs,
  });
  const consumers = cloud.segments ?? [];
  for (const [name, owner] of Object.entries(cloud.uploads ?? {})) uploads.registerOwner(name, owner);
  const abort = new AbortController();
  const running = Promise.all([
    uploads.run(abort.signal),
    ...Object.values(cloud.tasks ?? {}).map((task) => task(abort.signal)),
  ]);
  const stop = async () => {
    abort.abort();
    await running;
  };
  onTestFinished(async () => {
    await stop();
    rmSync(home.dataDir, { recursive: true, force: true });
  });
  let sequence = 0;
  const feed = async (change: Partial<FinishedSegment> = {}): Promise<FinishedSegment> => {
    const id = change.id ?? randomUUID();
    const file = join(home.dataDir, `${id}.ts`);
    writeFileSync(file, `segment ${sequence}`);
    const facts = { vhost: '__defaultVhost__', app: 'live', stream: 'show', clientId: 'c', durationMs: 2000 };
    const segment: FinishedSegment = {
      ...facts,
      id,
      format: 'mpegts',
      file,
      sequence: sequence++,
      isDiscontinuity: false,
      ...change,
    };
    for (const consumer of consumers) await consumer.take(segment);
    return segment;
  };
  return { home, cloud: cloud.service, feed, stop };
}

describe('the signature of Tencent Cloud', () => {
  it('matches the example in its documentation', () => {
    // The body is escaped in the example, and the escapes are what is signed.
    const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}';
    const { authorization } = signCall(
      { service: 'cvm', host: 'cvm.tencentcloudapi.com', body, atSeconds: 1551113065 },
      { secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE', secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE' },
    );
    expect(authorization).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, ' +
        'SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    );
  });
});

describe('the Tencent Cloud account', () => {
  it('is prepared step by step, and completed steps are not repeated', async () => {
    const { cloud } = cloudIn();
    tencent.on('CreateStorageRegion', () => ({ Error: { Code: 'InternalError', Message: 'S3RVER said' } }));
    await expect(cloud.setSecret(key)).rejects.toMatchObject({
      kind: 'cloud_account',
      message: 'CreateStorageRegion: Tencent Cloud rejected the request (InternalError)',
    });
    expect(await cloud.queryVod()).toMatchObject({ secret: true, service: true, storage: false });
    tencent.on('CreateStorageRegion', () => ({}));
    await cloud.setSecret(key);
    expect(await cloud.queryVod()).toMatchObject({ secret: true, service: true, storage: true });
    expect(tencent.actions().filter((action) => action === 'CreateSubAppId')).toHaveLength(1);
    expect(tencent.calls[0]).toMatchObject({ action: 'GetUserAppId', version: '2019-01-16', body: {} });
    const made = s3.requests.filter((request) => request.includes('srs-lighthouse-'));
    expect(made.map((request) => request.replace(/[0-9a-f]{4}-/, 'hex-'))).toEqual([
      'PUT /srs-lighthouse-hex-1253810548/',
      'PUT /srs-lighthouse-hex-1253810548/?policy=',
      'PUT /srs-lighthouse-hex-1253810548/?cors=',
    ]);
  });

  it('does not exist without a key, and never shows its key', async () => {
    const { call } = await createReadyApp();
    expect((await call('tencent/cam/secret', {})).data.message).toBe('no secretId');
    expect((await call('tencent/cam/secret', { secretId: 'a' })).data.message).toBe('no secretKey');
    expect((await call('hooks/dvr/query')).data).toMatchObject({ all: false, secret: false });
    expect((await call('hooks/vod/query')).data).toMatchObject({ secret: false, service: false, storage: false });
  });
});

describe('cloud recording and cloud video on demand', () => {
  it('exclude each other', async () => {
    const { call } = await createReadyApp();
    expect((await call('hooks/dvr/apply', { all: true })).code).toBe(0);
    const refused = await call('hooks/vod/apply', { all: true });
    expect([refused.code, refused.data.message]).toEqual([1004, expect.stringContaining('cloud recording is on')]);
    expect((await call('hooks/vod/query')).data.all).toBe(false);
    await call('hooks/dvr/apply', {});
    expect((await call('hooks/vod/apply', { all: true })).code).toBe(0);
  });
});

describe('cloud recording', () => {
  it('uploads segments and, after silence, their playlist into the bucket, also across an outage and a restart', async () => {
    const first = cloudIn();
    await first.feed();
    await first.cloud.setSecret(key);
    await first.cloud.apply('dvr', true);
    const one = await first.feed();
    await until(async () => (await first.cloud.recordings())[0]?.waiting === 0, 'the first is there');
    const [{ uuid = '', bucket = '' } = {}] = await first.cloud.recordings();
    const open = await first.cloud.playlist('dvr', uuid);
    expect(open).toContain(`${s3.bucket.endpoint}/${bucket}/${uuid}/${one.id}.ts`);
    expect(open).not.toContain('ENDLIST');

    await s3.stop();
    const two = await first.feed();
    await first.feed({ id: two.id, sequence: two.sequence });
    const three = await first.feed({ sequence: 7 });
    expect((await first.cloud.recordings())[0]).toMatchObject({ nn: 3, waiting: 2, progress: true, lost: 0 });
    expect(await first.cloud.playlist('dvr', uuid)).not.toContain(two.id);
    await first.stop();
    await s3.start();

    const second = cloudIn(first.home, 200);
    await until(async () => (await second.cloud.recordings())[0]?.progress === false, 'all of it is there');
    expect((await second.cloud.recordings())[0]).toMatchObject({ uuid, nn: 3, duration: 6, waiting: 0, bucket });
    const order = s3.requests.filter((request) => request.includes(uuid)).map((request) => request.split('/').at(-1));
    expect(order).toEqual([`${one.id}.ts`, `${two.id}.ts`, `${three.id}.ts`, 'index.m3u8']);
    const playlist = await second.cloud.playlist('dvr', uuid);
    expect(playlist.split('\n').filter((line) => line.startsWith('#EXT-X-'))).toEqual([
      '#EXT-X-VERSION:3',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-ENDLIST',
    ]);
  });
});

describe('cloud video on demand', () => {
  it('uploads where the service says, commits, and finds the mp4 that the cloud makes', async () => {
    const { cloud, feed } = cloudIn(undefined, 300);
    await cloud.setSecret(key);
    await cloud.apply('vod', true);
    tencent.on('ProcessMedia', () => ({ Error: { Code: 'InternalError', Message: 'once more' } }));
    const [one, two] = [await feed(), await feed()];
    await until(() => tencent.actions().includes('ProcessMedia'), 'the first try');
    tencent.on('ProcessMedia', () => ({ TaskId: 'a-task' }));
    await until(async () => (await cloud.videos())[0]?.progress === false, 'all of it is there');
    const directory = '6c0f1c00vodgzp251000333/dee2125c';
    expect(s3.keys().filter((name) => name.startsWith(directory))).toEqual(
      [`${one.id}.ts`, `${two.id}.ts`, 'f0.m3u8'].map((name) => `${directory}/${name}`).sort(),
    );
    const [video] = await cloud.videos();
    expect(video).toMatchObject({
      nn: 2,
      file: '24820810452266399',
      media: expect.stringContaining('f0.m3u8'),
      task: null,
    });
    // Tried again after the second step failed, but committed once.
    expect(tencent.actions().filter((action) => action === 'CommitUpload')).toHaveLength(1);
    const asked = tencent.calls.find(({ action }) => action === 'ProcessMedia');
    expect(asked?.body).toEqual({
      FileId: '24820810452266399',
      SubAppId: 1500012345,
      MediaProcessTask: { TranscodeTaskSet: [{ Definition: 875 }] },
    });
    expect(await cloud.playlist('vod', video?.uuid ?? '')).toContain(`/recordings/${directory}/${one.id}.ts`);

    const made = {
      Url: 'http://example.com/v.f875.mp4',
      Bitrate: 1000,
      Height: 720,
      Width: 1280,
      Size: 5,
      Duration: 4,
      Md5: 'm',
      Definition: 875,
    };
    tencent.on('DescribeMediaInfos', () => ({
      MediaInfoSet: [{ TranscodeInfo: { TranscodeSet: [made] } }],
      NotExistFileIdSet: [],
    }));
    await until(async () => Boolean((await cloud.videos())[0]?.task), 'the file of the cloud is known');
    expect((await cloud.videos())[0]?.task).toMatchObject({ url: made.Url, width: 1280, height: 720 });
  });
});
