import { createLog } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../core/clock.fixture.ts';
import { Events, type PublishedStream } from '../core/events.ts';
import { FakeMediaServer, liveStream } from '../media-server/fake-media-server.fixture.ts';
import { chooseInput, type LiveInput, LiveInputs } from './live-inputs.ts';
import { OwnEndpoints } from './own-endpoints.ts';

function published(stream: string, facts: Partial<PublishedStream> = {}): PublishedStream {
  const place = { vhost: '__defaultVhost__', app: 'live', stream, param: '' };
  return { ...place, serverId: 's', clientId: stream, publishedAt: '2026-01-01T00:00:00.000Z', ...facts };
}

function open(env: Record<string, string> = {}, mediaServer = new FakeMediaServer()) {
  const log = createLog('test', 'error');
  log.level = 'silent';
  const events = new Events(log);
  const config = parseConfig(env, { cwd: '/', version: '1' });
  const doors = new OwnEndpoints({ config, mediaServer });
  const { srtPassphrase } = config;
  const clock = new FakeClock();
  const inputs = new LiveInputs({ events, mediaServer, doors, srtPassphrase, ownToken: 'own', clock });
  const told = vi.fn();
  events.on('inputs:changed', told);
  return { events, inputs, told, clock, names: async () => (await inputs.look()).streams.map(({ name }) => name) };
}

describe('live inputs', () => {
  it('follow publish and end events, the newest first, and report changes', async () => {
    const { events, told, names } = open();
    events.emit('stream:published', published('b'));
    events.emit('stream:published', published('c', { publishedAt: '2026-01-02T00:00:00.000Z' }));
    events.emit('stream:published', published('a'));
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(3));
    expect(await names()).toEqual(['live/c', 'live/a', 'live/b']);
    events.emit('stream:ended', published('c'));
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(4));
    expect(await names()).toEqual(['live/a', 'live/b']);
  });

  it('keep a stream whose publisher was replaced before the old one left', async () => {
    const { events, told, inputs } = open();
    events.emit('stream:published', published('a', { clientId: 'old' }));
    events.emit('stream:published', published('a', { clientId: 'new', publishedAt: '2026-01-02T00:00:00.000Z' }));
    events.emit('stream:ended', published('a', { clientId: 'old' }));
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(3));
    expect((await inputs.look()).streams).toMatchObject([{ name: 'live/a', clientId: 'new' }]);
  });

  it('are read by RTMP on loopback at the port of this server, with app, name and vhost given separately', async () => {
    const { events, told, inputs } = open({ WEIR_RTMP_LISTEN: '19350' });
    events.emit('stream:published', published('a/b', { vhost: 'studio.test' }));
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    const [input] = (await inputs.look()).streams;
    expect(input?.name).toBe('studio.test/live/a/b');
    expect(input?.input).toMatchObject({
      kind: 'live',
      url: 'rtmp://127.0.0.1:19350/live/a/b',
      options: expect.arrayContaining(['-rtmp_app', 'live', '-rtmp_playpath', 'a/b?vhost=studio.test&weir-own=own']),
    });
    const playPath = 'a/b?vhost=studio.test&weir-own=own&quality=720p';
    expect(input?.ofQuality('720p')).toMatchObject({ options: expect.arrayContaining([playPath]) });
  });

  it('are read where the engine listens, when that is not loopback', async () => {
    const { events, told, inputs } = open({ WEIR_RTMP_LISTEN: '[2001:db8::1]:1935' });
    events.emit('stream:published', published('a'));
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    expect((await inputs.look()).streams[0]?.input).toMatchObject({ url: 'rtmp://[2001:db8::1]:1935/live/a' });
  });

  it('are read by SRT once their video is known to be H.265, which ffmpeg does not read by RTMP', async () => {
    const mediaServer = new FakeMediaServer();
    const { events, told, inputs, clock } = open({ WEIR_SRT_PASSPHRASE: 'open sesame' }, mediaServer);
    events.emit('stream:published', published('a b'));
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    const url = async () => {
      clock.pass(1000);
      const [first] = (await inputs.look()).streams;
      return first?.input.kind === 'live' ? first.input.url : undefined;
    };
    expect(await url()).toBe('rtmp://127.0.0.1:1935/live/a%20b');
    const video = { codec: 'H265', profile: 'Main', width: 1280, height: 720 };
    const media = { protocol: 'srt', address: '', viewers: 0, kbps: 0, fps: 0, video, audio: null, bFrames: false };
    mediaServer.live = [liveStream({ name: 'a b', media })];
    // Not where SRT cannot be served: then the failure is about the codec, and says so.
    expect(await url()).toMatch(/^rtmp:/);
    mediaServer.listeners = [{ protocol: 'srt', port: 10080, ready: true, note: '' }];
    expect(await url()).toBe(
      'srt://127.0.0.1:10080?streamid=%23%21%3A%3Ar%3Dlive%2Fa%20b%2Cweir-own%3Down%2Cm%3Drequest&passphrase=open%20sesame',
    );
    expect((await inputs.look()).streams[0]?.secrets).toContain('open sesame');
    mediaServer.isAway = true;
    expect(await url()).toMatch(/^rtmp:/);
  });

  it('list all streams once for many callers at the same time', async () => {
    const mediaServer = new FakeMediaServer();
    const asked = vi.spyOn(mediaServer, 'streams');
    const { events, told, inputs } = open({}, mediaServer);
    for (let i = 0; i < 50; i += 1) events.emit('stream:published', published(`s${i}`));
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(50));
    await Promise.all(Array.from({ length: 200 }, () => inputs.look()));
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('distinguish streams that our own programs make from those of others', async () => {
    const { events, told, inputs } = open();
    inputs.registerOutputs({
      urls: async () => ['rtmp://localhost/live/copy?secret=x', 'rtmp://elsewhere.test/live/show'],
    });
    events.emit('stream:published', published('show'));
    events.emit('stream:published', published('copy'));
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2));
    expect((await inputs.look()).streams.map(({ stream, isMadeByUs }) => [stream, isMadeByUs])).toEqual([
      ['copy', true],
      ['show', false],
    ]);
    expect((await inputs.look()).ownPlaceOf('rtmp://127.0.0.1/live/copy')).toBe('__defaultVhost__/live/copy');
    expect(await inputs.ownStreamOf('rtmp://127.0.0.1/live/copy')).toBe('live/copy');
    expect(await inputs.ownStreamOf('rtmp://127.0.0.1/live/copy?vhost=studio')).toBe('studio/live/copy');
    expect(await inputs.ownStreamOf('rtmp://elsewhere.test/live/copy')).toBeUndefined();
  });

  it('do not lead the output of a program into its own input', async () => {
    const { events, inputs } = open();
    const place = (stream: string) => `__defaultVhost__/live/${stream}`;
    inputs.registerOutputs({
      urls: async () => [],
      made: async () => new Map([[place('show'), [place('raw')]]]),
      copies: async () => [{ from: 'raw', to: 'rtmp://localhost/live/copy' }],
    });
    const refusal = /its own input \(live\/raw ← live\/show ← live\/raw\)/;
    await expect(inputs.refuseLoop(['live/show'], 'rtmp://localhost/live/raw?secret=x')).rejects.toThrow(refusal);
    await expect(inputs.refuseLoop(['live/copy'], 'rtmp://localhost/live/show')).resolves.toBeUndefined();
    await expect(inputs.refuseLoop(['live/copy'], 'rtmp://localhost/live/raw')).resolves.toBeUndefined();
    await expect(inputs.refuseLoop(['live/show'], 'rtmp://elsewhere.test/live/raw')).resolves.toBeUndefined();
    // The newest stream is taken where none is named.
    events.emit('stream:published', published('other'));
    events.emit('stream:published', published('show', { publishedAt: '2026-01-02T00:00:00.000Z' }));
    const view = await vi.waitUntil(() => inputs.look().then((seen) => seen.streams.length === 2 && seen));
    const taken = (to: string) => chooseInput(view, '', { current: undefined, to })?.name;
    expect([taken('rtmp://elsewhere.test/live/raw'), taken('rtmp://localhost/live/raw')]).toEqual([
      'live/show',
      'live/other',
    ]);
    expect(await inputs.ownPlacesAt('http://localhost:2022/live/show.flv')).toEqual([place('show')]);
    expect(await inputs.ownPlacesAt('http://elsewhere.test/live/show.flv')).toEqual([]);
  });
});

describe('choosing an input', () => {
  const somewhere = { kind: 'live', url: 'rtmp://127.0.0.1/' } as const;
  const input = (name: string, facts: Partial<LiveInput> = {}): LiveInput => {
    const [stream = '', app = '', vhost = '__defaultVhost__'] = name.split('/').reverse();
    return {
      vhost,
      app,
      stream,
      name,
      publishedAt: '',
      clientId: '',
      input: somewhere,
      ofQuality: () => somewhere,
      secrets: [],
      isMadeByUs: false,
      ...facts,
    };
  };
  const streams = [
    input('live/copy', { isMadeByUs: true }),
    input('live/new'),
    input('studio.test/live/show'),
    input('live/show'),
    input('event/show'),
    { ...input('live/part'), stream: 'hall/part', name: 'live/hall/part' },
  ];
  it.each([
    ['', {}, 'live/new'],
    ['  ', {}, 'live/new'],
    ['show', {}, 'studio.test/live/show'],
    ['live/show', {}, 'studio.test/live/show'],
    ['__defaultVhost__/live/show', {}, 'live/show'],
    ['event/show', {}, 'event/show'],
    ['/event/show/', {}, 'event/show'],
    ['studio.test/live/show', {}, 'studio.test/live/show'],
    ['missing', {}, undefined],
    ['sho', {}, undefined],
    // A name is whole, whatever levels it has.
    ['part', {}, undefined],
    ['hall/part', {}, 'live/hall/part'],
    // Made by us: only by its name.
    ['copy', {}, 'live/copy'],
    // Never what the slot itself makes.
    ['copy', { to: 'live/copy' }, undefined],
    ['', { to: 'live/new' }, 'studio.test/live/show'],
    // The current input stays.
    ['', { current: 'event/show' }, 'event/show'],
    ['', { current: 'live/gone' }, 'live/new'],
    ['show', { current: 'event/show' }, 'event/show'],
    ['live/show', { current: 'event/show' }, 'studio.test/live/show'],
  ])('from %j with %j gives %s', (wanted, options, name) => {
    const ownPlaceOf = (url: string) => (url === '' ? undefined : `__defaultVhost__/${url}`);
    const view = { streams, ownPlaceOf, isLoop: () => false };
    expect(chooseInput(view, wanted, { current: undefined, to: '', ...options })?.name).toBe(name);
  });
});
