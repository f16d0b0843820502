import type { LadderRow } from '@weir/contract';
import type { LadderPlan } from '@weir/engine-api';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';

const rungs = [
  { lines: 360, kbps: 700 },
  { lines: 480, kbps: 1200 },
];
const rule = { pattern: 'live/*', encoder: 'libx264', rungs, isForced: true };
const video = { codec: 'H264', profile: 'High', width: 1280, height: 720 };
const media = { protocol: 'rtmp', address: '', viewers: 0, kbps: 3000, fps: 25, video, audio: null, bFrames: false };

async function open() {
  const mediaServer = new FakeMediaServer();
  const server = await createReadyApp({ mediaServer });
  const query = async () => (await server.call('ffmpeg/ladder/query')).data;
  /** Newest plans that the engine received. */
  const pushed = (): readonly LadderPlan[] | undefined =>
    mediaServer.applied.findLast(({ ladders }) => ladders !== undefined)?.ladders;
  return { ...server, mediaServer, query, pushed, save: (change: object) => server.call('ffmpeg/ladder/save', change) };
}

it.each([
  [{ rungs: [] }, 'rungs'],
  [{ rungs: [{ lines: 361, kbps: 700 }] }, 'must be even'],
  [{ rungs: [...rungs, { lines: 360, kbps: 800 }] }, 'must be of different sizes'],
  [{ rungs: [{ lines: 360, kbps: 49 }] }, 'kbps'],
  [{ pattern: '/live/[' }, 'is not a valid pattern'],
  [{ encoder: '-y' }, 'encoder'],
  [{ encoder: 'h264_videotoolbox' }, 'h264_videotoolbox does not work on this machine'],
  [{ preset: 'placebo' }, 'preset'],
  [{ id: 'none' }, 'there is no such rule'],
])('refuses a rule with %j', async (change, message) => {
  const { save, query } = await open();
  const answer = await save({ ...rule, ...change });
  expect([answer.code === 0, answer.data.message]).toEqual([false, expect.stringContaining(message)]);
  expect((await query()).rules).toEqual([]);
});

it('keeps rules, makes of each live stream what the first rule says, and ends it with the rule', async () => {
  const { save, call, query, mediaServer, pushed } = await open();
  const { data: saved } = await save(rule);
  expect(saved).toMatchObject({ pattern: '/live/*', when: 'always', rungs: [{ lines: 480 }, { lines: 360 }] });
  expect((await save({ ...rule, pattern: '/live/*' })).data.message).toContain('there is a rule for it already');
  await save({ ...rule, id: saved.id, when: 'watched' });
  mediaServer.live = [
    liveStream({ media }),
    liveStream({ name: 'small', media: { ...media, video: { ...video, width: 640, height: 360 } } }),
    liveStream({ app: 'other', media }),
  ];
  await vi.waitFor(() => expect(pushed()).toHaveLength(1));
  expect(pushed()).toEqual([
    {
      vhost: '__defaultVhost__',
      app: 'live',
      stream: 'show',
      encoder: 'libx264',
      preset: 'superfast',
      device: '',
      isOnDemand: true,
      hasAudioOnly: false,
      rungs: [
        { lines: 480, kbps: 1200 },
        { lines: 360, kbps: 700 },
      ],
    },
  ]);
  const rows: LadderRow[] = (await query()).streams;
  expect(rows.map(({ stream, state, reason }) => [stream, state, reason])).toEqual([
    ['show', 'waiting', ''],
    ['small', 'idle', 'the picture is smaller than all of the qualities'],
  ]);
  expect((await call('ffmpeg/ladder/remove', { id: saved.id })).code).toBe(0);
  await vi.waitFor(() => expect(pushed()).toEqual([]));
});

it('says plainly that a separate SRS has no ladders', async () => {
  const { save, query, call, mediaServer } = await open();
  mediaServer.lacks = ['ladders'];
  for (const answer of [await save(rule), await call('ffmpeg/ladder/encoders')]) {
    expect(answer.data.message).toContain('ladders need the embedded engine, start without WEIR_ENGINE=srs');
  }
  expect(await query()).toMatchObject({ isAvailable: false, rules: [], streams: [] });
});
