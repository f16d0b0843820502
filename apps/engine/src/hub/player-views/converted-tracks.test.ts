import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { shifted, steps, useHarnesses } from './player-view-harness.fixture.ts';
import { Watcher } from './player-views.fixture.ts';

const { clips, openHarness } = useHarnesses();

it('alternative audio in Opus is converted to AAC for players of HLS once it is wanted, on the clock of the stream', async () => {
  const harness = openHarness();
  const view = harness.playerViews.of(harness.stream, 'classic');
  const { plainAac, plainOpus } = clips;
  if (!plainOpus.audio) throw new Error('no audio');
  harness.configs(plainAac);
  harness.publication.audioTrack(1, plainOpus.audio);
  const sounds = plainOpus.frames.filter(({ kind }) => kind === 'audio').map((frame) => ({ frame, isOwn: false }));
  const media = [...plainAac.frames.map((frame) => ({ frame, isOwn: true })), ...sounds];
  media.sort((a, b) => a.frame.dtsMs - b.frame.dtsMs);
  const send = (startMs: number) => {
    for (const { frame, isOwn } of media) {
      const [later] = shifted([frame], startMs);
      if (!later) continue;
      if (isOwn) harness.publication.frame(later);
      else harness.publication.audioTrack(1, later);
    }
  };
  send(0);
  expect(view.audioTracks.offered).toEqual([]);
  const [track] = view.audioTracks.all;
  expect(track).toMatchObject({ name: '1', audio: { codec: 'aac', channels: 2 } });
  const watcher = new Watcher();
  track?.attach(watcher);
  for (let round = 1; round < 500 && watcher.frames().length < 30; round++) {
    send(round * 2000);
    await sleep(20);
  }
  expect(view.audioTracks.offered).toEqual([track]);
  expect(steps(watcher.frames()).every((step) => step > 0)).toBe(true);
  expect(watcher.frames()[0]?.dtsMs).toBeGreaterThan(1900);
  expect(new Set(watcher.codecs())).toEqual(new Set(['aac']));
});
