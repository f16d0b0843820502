import { createHmac, randomUUID } from 'node:crypto';
import { TranscriptConfig, transcriptHlsPath } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp } from '../../../app.fixture.ts';
import { systemClock } from '../../../core/clock.ts';
import { MemoryStore } from '../../../core/store/memory-store.ts';
import { FakeMediaServer } from '../../../media-server/fake-media-server.fixture.ts';
import { PipelineRepository } from '../pipeline/pipeline-repository.ts';
import { segmentRow } from '../pipeline/segment-row.fixture.ts';

const modes = ['open', 'link', 'password', 'token', 'callback'] as const;
type Mode = (typeof modes)[number];
const credentials = ['none', 'wrong', 'expired', 'other', 'revoked', 'right'] as const;
type Credential = (typeof credentials)[number];

const backendSecret = 'a secret of the backend';
const uuids = Object.fromEntries(modes.map((mode) => [mode, randomUUID()])) as Record<Mode, string>;
const tokens = {} as Record<Mode, Record<Credential, string>>;
const playlistsOf = (uuid: string) => [
  ...['overlay', 'original', 'webvtt'].map((kind) => `${kind}/${uuid}.m3u8`),
  ...['index', 'subtitles', 'subtitles-de'].map((name) => `webvtt/${uuid}/${name}.m3u8`),
];
let server: Awaited<ReturnType<typeof createTestApp>>;

function backendToken(body: object, secret = backendSecret): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(body)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const flipped = (token: string) => token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1);

/** Five streams with an output and a rule each. */
beforeAll(async () => {
  const store = new MemoryStore();
  const repository = new PipelineRepository(store);
  const lanes = modes.map((mode) => ({ uuid: uuids[mode], wanted: `live/${mode}`, place: '', epoch: 1 }));
  await repository.putLanes(lanes.map((lane) => ({ ...lane, nextNumber: null, seamsGone: 0 })));
  for (const mode of modes) await repository.segments.put(segmentRow({ lane: uuids[mode], stream: mode }));
  let aheadMs = 0;
  const clock = { ...systemClock, dateMs: () => Date.now() + aheadMs };
  const config = { lang: 'en', translations: ['de'] };
  await store.setting('transcript/global', TranscriptConfig).put(TranscriptConfig.parse(config));
  server = await createTestApp({ store, clock, mediaServer: new FakeMediaServer() });
  const { bearer } = await server.setUp();
  const call = async (path: string, body: object = {}) => {
    const { code, data } = await server.post(`/terraform/v1/${path}`, body, { authorization: `Bearer ${bearer}` });
    if (code !== 0) throw new Error(`${path}: ${JSON.stringify(data)}`);
    return data;
  };
  await call('ai/transcript/query');
  await call('mgmt/hooks/apply', { target: 'http://127.0.0.1:9/', all: true });

  const save = (mode: Mode, more: object = {}) =>
    call('mgmt/access/update', { pattern: `/live/${mode}`, mode, ...more });
  const link = async (stream: string, seconds = 3600) =>
    call('mgmt/access/link', {
      app: 'live',
      stream,
      expiresAt: new Date(clock.dateMs() + seconds * 1000).toISOString(),
    });
  await save('link');
  const { id } = await save('password', { password: 'first word' });
  await save('token', { secret: backendSecret });
  await save('callback');
  const [short, shortPassword, gone, right] = [
    await link('link', 1),
    await link('password', 1),
    await link('link'),
    await link('link'),
  ];
  await call('mgmt/access/revoke', { id: gone.id });
  const other = (await link('another')).token;
  const unlock = async (password: string) =>
    (await call('watch/unlock', { playback: shortPassword.playback, password })).token;
  const oldWord = await unlock('first word');
  await save('password', { id, password: 'second word' });
  const word = await unlock('second word');
  const exp = Math.floor(Date.now() / 1000) + 600;
  const good = { stream: 'live/token', exp };
  const ofLinks = { none: '', wrong: flipped(right.token), expired: short.token, other, revoked: gone.token };
  Object.assign(tokens, {
    open: { ...ofLinks, right: right.token },
    link: { ...ofLinks, right: right.token },
    callback: { ...ofLinks, right: 'right' },
    password: {
      ...ofLinks,
      wrong: flipped(word),
      expired: shortPassword.token,
      revoked: oldWord,
      right: word,
    },
    token: {
      ...ofLinks,
      wrong: flipped(backendToken(good)),
      expired: backendToken({ ...good, exp: exp - 1200 }),
      other: backendToken({ ...good, stream: 'live/another' }),
      revoked: backendToken(good, 'the former secret of it'),
      right: backendToken(good),
    },
  });
  aheadMs = 5000;
});
afterAll(() => server.close());

const cells = modes.flatMap((mode) => credentials.map((credential) => [mode, credential] as const));

it.each(cells)(
  'transcript outputs of a stream that is %s obey its rule with a credential that is %s',
  async (mode, credential) => {
    const token = tokens[mode][credential];
    const get = async (path: string) => (await server.inject({ url: `${transcriptHlsPath}/${path}` })).statusCode;
    const answers = await Promise.all(
      playlistsOf(uuids[mode]).map((path) => get(`${path}${token && `?token=${token}`}`)),
    );
    // A receiver of callbacks is asked once a viewer, and outputs have none.
    const isOpen = mode === 'open' || (credential === 'right' && mode !== 'callback');
    expect(answers).toEqual(playlistsOf('').map(() => (isOpen ? 200 : 401)));
  },
);
