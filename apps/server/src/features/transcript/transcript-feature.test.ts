import { describe, expect, it } from 'vitest';
import { expectCarefulReset } from '../../app.ai-task.fixture.ts';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

const path = (name: string) => `ai/transcript/${name}`;
const provider = { secretKey: 'sk-0123456789abcdef0123', baseURL: 'http://127.0.0.1:9/v1', organization: '' };
const on = { ...provider, all: true, lang: 'en', overlayEnabled: true, webvttEnabled: true };

const open = () => createReadyApp({ mediaServer: new FakeMediaServer() });

describe('the transcript', () => {
  it('is off at first, with the defaults of the specification and a task id that stays', async () => {
    const { call } = await open();
    const { data } = await call(path('query'));
    expect(data.config).toEqual({
      all: false,
      secretKey: '',
      baseURL: '',
      organization: '',
      lang: '',
      forceStyle: '',
      videoCodecParams: '',
      overlayEnabled: true,
      webvttEnabled: true,
      streams: [],
      fixSeconds: null,
      captions: [],
      translations: [],
    });
    expect(data.task.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call(path('query'))).data.task.uuid).toBe(data.task.uuid);
  });

  it('starts and stops by apply, replaces the whole config, and never returns the key', async () => {
    const { call } = await open();
    const { data: applied } = await call(path('apply'), {
      ...on,
      baseUrl: provider.baseURL,
      uuid: 'x',
      streams: ['live/a'],
    });
    const { data } = await call(path('query'));
    expect(applied.uuid).toBe(data.task.uuid);
    expect(data.config).toMatchObject({ all: true, secretKey: '••••••••0123', streams: ['live/a'], lang: 'en' });
    // Values read can be sent back; an older client does not clear fields it does not know.
    const { streams: _streams, fixSeconds: _fix, ...older } = data.config;
    await call(path('apply'), { ...older, all: false, overlayEnabled: undefined });
    expect((await call(path('query'))).data.config).toMatchObject({
      all: false,
      secretKey: '••••••••0123',
      overlayEnabled: false,
      streams: ['live/a'],
    });
    expect(
      (await call(path('apply'), { ...on, secretKey: '••••••••0123', baseURL: 'http://evil.test/v1' })).data.message,
    ).toContain('new host');
  });

  it('switches subtitles in the players of a stream, which an older client leaves as they are', async () => {
    const { call } = await open();
    const { data: applied } = await call(path('apply'), { ...on, streams: ['live/a', 'live/b'] });
    const shown = async () =>
      (await call(path('state'))).data.streams.map(({ captions }: { captions: boolean }) => captions);
    expect(await shown()).toEqual([false, false]);
    expect((await call(path('captions'), { uuid: applied.uuid, enabled: true })).status).toBe(200);
    await call(path('apply'), on);
    expect(await shown()).toEqual([true, false]);
    expect((await call(path('captions'), { uuid: 'x', enabled: true })).status).toBe(422);
    await call(path('captions'), { uuid: applied.uuid });
    expect(await shown()).toEqual([false, false]);
  });

  it('translates into the chosen languages, which an older client leaves as they are', async () => {
    const { call, inject } = await open();
    await call(path('apply'), { ...on, translations: ['de', 'EN', 'zh-Hans', 'De'] });
    const { translations: chosen, ...older } = (await call(path('query'))).data.config;
    expect(chosen).toEqual(['de', 'zh-Hans']);
    const { data: applied } = await call(path('apply'), older);
    expect((await call(path('query'))).data.config.translations).toEqual(chosen);
    const { translator, streams } = (await call(path('state'))).data;
    expect(translator).toEqual({ by: 'provider', host: '127.0.0.1:9', cause: null });
    const none = { done: 0, skipped: 0, waiting: 0, delayMs: null, cause: null };
    expect(streams[0].translations).toEqual([
      { language: 'de', ...none },
      { language: 'zh-Hans', ...none },
    ]);
    for (const name of [`webvtt/${applied.uuid}/subtitles-de.m3u8`, `webvtt/${applied.uuid}/index-de.m3u8`]) {
      expect((await inject({ method: 'GET', url: `/terraform/v1/${path('hls')}/${name}` })).statusCode).toBe(404);
    }
    await call(path('apply'), { ...older, translations: [] });
    expect((await call(path('state'))).data.translator).toBeNull();
  });

  it('needs a provider only without built-in AI', async () => {
    const { call } = await open();
    const nobody = { ...on, secretKey: '', baseURL: '' };
    const refused = await call(path('apply'), nobody);
    expect([refused.status, refused.data.why]).toEqual([422, { kind: 'ai', fact: 'no-provider' }]);
    expect((await call(path('apply'), { ...nobody, all: false })).status).toBe(200);
    await call('mgmt/openai/update', { aiSecretKey: 'sk-1', aiBaseURL: provider.baseURL });
    expect((await call(path('apply'), nobody)).status).toBe(200);
    expect((await call(path('state'))).data.provider).toEqual({ by: 'provider', host: '127.0.0.1:9', cause: null });
  });

  it.each([
    ['forceStyle', "Alignment=2':fontsdir=/etc"],
    ['videoCodecParams', '-f flv rtmp://attacker/x'],
    ['lang', 'en"\n'],
    ['streams', ['a', 'b', 'c', 'd', 'e']],
    ['captions', ['live/unknown']],
    ['captions', 'on'],
    ['captions', true],
    ['captions', [{ stream: '' }]],
    ['translations', ['de', 'fr', 'es', 'it', 'pl']],
    ['translations', ['de"\n#EXT']],
    ['translations', ['-x']],
  ])('S16: refuses a %s with anything added', async (field, value) => {
    const { call } = await open();
    const answer = await call(path('apply'), { ...on, [field]: value });
    expect([answer.status, answer.data.message]).toEqual([422, expect.stringContaining(field)]);
    expect((await call(path('query'))).data.config.all).toBe(false);
  });

  it('resets only a stopped task, and only the given one', async () => {
    const { call } = await open();
    await expectCarefulReset(call, 'ai/transcript', on);
  });

  it('shows empty queues as lists, by any method, and a state for each stream', async () => {
    const { call, inject } = await open();
    for (const name of ['live', 'asr', 'fix', 'overlay']) {
      expect((await call(path(`${name}-queue`))).data).toEqual({ segments: [], count: 0 });
    }
    expect((await inject({ method: 'GET', url: `/terraform/v1/${path('fix-queue')}` })).statusCode).toBe(401);
    await call(path('streams'), { streams: ['live/a', ' live/b ', 'live/a', ''] });
    const { streams } = (await call(path('state'))).data;
    expect(streams.map((stream: { wanted: string }) => stream.wanted)).toEqual(['live/a', 'live/b']);
    expect(streams[0]).toMatchObject({ stream: '', delayMs: null, dropped: 0, failures: 0, cause: null, overlay: 0 });
    expect(streams[0].process.state).toBe('off');
  });

  it('refuses to clear or edit an unknown segment', async () => {
    const { call } = await open();
    const { uuid } = (await call(path('query'))).data.task;
    expect((await call(path('clear-subtitle'), { uuid: 'x', tsid: 'y' })).data.message).toBe('invalid uuid');
    expect((await call(path('clear-subtitle'), { uuid, tsid: '1-audio-x' })).status).toBe(404);
    expect((await call(path('edit'), { uuid, tsid: '../x', text: 'y' })).status).toBe(404);
  });

  it('lists languages by their own names', async () => {
    const { call } = await open();
    const { languages } = (await call(path('languages'))).data;
    expect(languages).toContainEqual({ code: 'de', name: 'Deutsch' });
    expect(languages).toContainEqual({ code: 'zh', name: '中文' });
  });

  it.each([
    'overlay/00000000-0000-4000-8000-000000000000.m3u8',
    'webvtt/index.m3u8',
    'webvtt//index.m3u8',
    'overlay/1-overlay-00000000-0000-4000-8000-000000000000.ts',
    'original/..%2f..%2fweir.db',
    'webvtt/1-overlay-x.vtt',
    'x',
    '',
  ])('S12, S13: serves nothing at hls/%s', async (name) => {
    const { inject } = await open();
    const answer = await inject({ method: 'GET', url: `/terraform/v1/${path('hls')}/${name}` });
    expect(answer.statusCode).toBe(404);
  });

  it('has no output before the first segment', async () => {
    const { call, inject } = await open();
    const { uuid } = (await call(path('query'))).data.task;
    for (const name of [`overlay/${uuid}.m3u8`, `webvtt/${uuid}/index.m3u8`, `webvtt/${uuid}/subtitles.m3u8`]) {
      expect((await inject({ method: 'GET', url: `/terraform/v1/${path('hls')}/${name}` })).statusCode).toBe(404);
    }
  });
});
