import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { FlvViewer } from '../fixtures/live.fixture.ts';
import { SyntheticPublisher } from '../fixtures/synthetic-publisher.fixture.ts';
import { engineKinds, type RunningEngine } from './engines.fixture.ts';

/** Behaviour that every media server shares. */
describe.each(engineKinds)('$name', ({ start }) => {
  let engine: RunningEngine;
  const publishers: SyntheticPublisher[] = [];
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(async () => {
    for (const publisher of publishers) publisher.close();
    await engine.close();
  });

  const publish = async (name: string) => {
    const publisher = await SyntheticPublisher.start({ port: engine.rtmpPort, name: `${name}?secret=s3`, kbps: 400 });
    publishers.push(publisher);
    return publisher;
  };
  const told = (action: string, stream: string) =>
    engine.told.find((hook) => hook.action === action && hook.stream === stream);
  /** Our own engine makes each segment in more formats until it knows which ones are recorded; every engine makes MPEG-TS. */
  const toldOfSegment = (stream: string) =>
    engine.told.find((hook) => hook.action === 'on_hls' && hook.stream === stream && hook.format === undefined);
  const urlOf = (file: string) => `http://127.0.0.1:${engine.httpPort}/live/${file}`;

  it('reports one run id, and where it listens', async () => {
    const { startedAt, listeners } = await engine.mediaServer.health();
    expect(Math.abs(Date.now() - Date.parse(startedAt))).toBeLessThan(60_000);
    expect((await engine.mediaServer.health()).startedAt).toBe(startedAt);
    expect(listeners).toContainEqual({ protocol: 'rtmp', port: engine.rtmpPort, ready: true, note: '' });
    expect(listeners).toContainEqual({ protocol: 'http', port: engine.httpPort, ready: true, note: '' });
    const versions = await engine.mediaServer.api('GET', '/api/v1/versions', undefined);
    expect(JSON.parse((await versions.toArray()).join(''))).toMatchObject({ code: 0 });
  });

  it('asks before a stream is published, and obeys a refusal', async () => {
    engine.refused.add('unwanted');
    const publisher = await publish('unwanted');
    await until(() => publisher.hasEnded, 'the publisher is turned away');
    expect(told('on_publish', 'unwanted')).toMatchObject({ app: 'live', param: '?secret=s3' });
    expect(await engine.mediaServer.streams()).toEqual([]);
  });

  it('carries a stream from its publisher to viewers until the publisher is disconnected', async () => {
    const { mediaServer } = engine;
    expect((await fetch(urlOf('show.flv?wait=0'), { method: 'HEAD' })).status).toBe(404);
    const publisher = await publish('show');
    await until(async () => (await mediaServer.streams())[0]?.media?.video?.codec === 'H264', 'it is listed');
    const [live] = await mediaServer.streams();
    expect(live).toMatchObject({
      vhost: '__defaultVhost__',
      app: 'live',
      name: 'show',
      clientId: told('on_publish', 'show')?.client_id,
      media: { protocol: 'rtmp', address: '127.0.0.1' },
    });
    expect(Math.abs(Date.now() - Date.parse(live?.publishedAt ?? ''))).toBeLessThan(60_000);
    expect((await mediaServer.streams())[0]?.publishedAt).toBe(live?.publishedAt);

    const viewer = await FlvViewer.open(urlOf('show.flv'));
    await until(() => viewer.bytes > 50_000, 'a viewer gets it');
    await until(() => told('on_play', 'show') !== undefined, 'the viewer is told of');
    viewer.close();
    const tracks = [{ language: 'en', name: 'English', isDefault: true }];
    const hasSubtitles = await mediaServer.setSubtitleTracks(
      { vhost: '__defaultVhost__', app: 'live', stream: 'show' },
      tracks,
    );
    expect(hasSubtitles).toBe(!mediaServer.lacks.includes('subtitles'));

    expect(await mediaServer.kick(live?.clientId ?? '')).toBe(true);
    await until(() => publisher.hasEnded, 'the publisher is disconnected');
    await until(() => told('on_unpublish', 'show') !== undefined, 'its end is told of');
    expect(told('on_unpublish', 'show')?.client_id).toBe(live?.clientId);
    await until(async () => (await mediaServer.streams()).length === 0, 'it is listed no more');
    expect(await mediaServer.kick(live?.clientId ?? '')).toBe(false);

    await until(() => toldOfSegment('show') !== undefined, 'what was sent is cut into a segment');
    const segment = toldOfSegment('show');
    const file = await readFile(await engine.segmentOf(segment ?? { action: '' }));
    expect([segment?.client_id, file[0], file[188], file.length % 188]).toEqual([live?.clientId, 0x47, 0x47, 0]);
  });
});
