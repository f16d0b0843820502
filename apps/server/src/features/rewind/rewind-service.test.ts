import { expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

async function open() {
  const mediaServer = new FakeMediaServer();
  const server = await createReadyApp({ mediaServer });
  /** Newest rules that the engine received. */
  const pushed = () => mediaServer.applied.findLast(({ rewind }) => rewind !== undefined)?.rewind;
  const query = async () => (await server.call('hooks/rewind/query')).data;
  const save = (change: object) => server.call('hooks/rewind/save', change);
  return { ...server, mediaServer, pushed, query, save };
}

it.each([
  [{ windowSeconds: 59 }, 'must be 0 or at least 60'],
  [{ windowSeconds: 86_401 }, 'windowSeconds'],
  [{ windowSeconds: 1.5 }, 'windowSeconds'],
  [{ pattern: '/live/[' }, 'is not a valid pattern'],
  [{ id: 'none' }, 'there is no such rule'],
])('refuses a rule with %j', async (change, message) => {
  const { save, query } = await open();
  const answer = await save({ pattern: 'live/*', windowSeconds: 3600, ...change });
  expect([answer.code === 0, answer.data.message]).toEqual([false, expect.stringContaining(message)]);
  expect((await query()).rules).toEqual([]);
});

it('tells the engine the rules with a key that stays, and asks it for segments while a rule is on', async () => {
  const { save, call, query, pushed, mediaServer } = await open();
  const { data: rule } = await save({ pattern: 'live/*', windowSeconds: 3600 });
  expect(rule).toEqual({ id: rule.id, pattern: '/live/*', windowSeconds: 3600 });
  expect(pushed()).toEqual({
    rules: [{ pattern: '/live/*', windowSeconds: 3600 }],
    key: expect.stringMatching(/^.{43}$/),
  });
  const { key } = pushed() ?? {};
  const wanted = () =>
    mediaServer.applied.findLast(({ segmentFormats }) => segmentFormats !== undefined)?.segmentFormats;
  expect(wanted()).toEqual(['mpegts']);
  expect((await save({ pattern: '/live/*', windowSeconds: 60 })).data.message).toContain(
    'there is a rule for it already',
  );
  await save({ id: rule.id, pattern: '/live/*', windowSeconds: 0 });
  expect([pushed()?.key, wanted()]).toEqual([key, []]);
  await call('hooks/rewind/remove', { id: rule.id });
  expect(pushed()).toEqual({ rules: [], key });
  expect(await query()).toEqual({ rules: [], windows: [], shortenedSince: '', isAvailable: true });
});

it('says plainly that a separate SRS cannot serve what was live', async () => {
  const { save, query, mediaServer } = await open();
  mediaServer.lacks = ['rewind'];
  const answer = await save({ pattern: '/live/*', windowSeconds: 3600 });
  expect(answer.data.message).toContain('rewinding needs the embedded engine, start without WEIR_ENGINE=srs');
  expect((await query()).isAvailable).toBe(false);
});
