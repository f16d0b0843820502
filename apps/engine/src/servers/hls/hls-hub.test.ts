import { afterEach, describe, expect, it } from 'vitest';
import { Clients } from '../../hub/clients/clients.ts';
import { Hub } from '../../hub/hub.ts';
import type { Publication } from '../../hub/stream.ts';
import { publisherInfo, type Sample, sample } from '../../packagers/hls/hls-source.fixture.ts';
import { openHls } from './hls.fixture.ts';

const hubs: Hub[] = [];
afterEach(() => {
  for (const hub of hubs.splice(0)) hub.close();
});

/** The real hub in front of HLS: what a publisher does wrong passes its clock first. */
async function published() {
  const opened = await openHls();
  const hub = new Hub({ returnMs: 15_000, onOpened: (stream) => opened.streams.follow(stream) });
  hubs.push(hub);
  const stream = hub.open({ ...publisherInfo.place, name: 'hubbed' });
  if (!stream) throw new Error('no stream');
  const publish = () => stream.publish(Clients.entry(publisherInfo, () => undefined));
  const playlist = async () => (await opened.get('/live/hubbed.m3u8')).text;
  return { ...opened, publish, playlist };
}

function feed(publication: Publication, { configs, frames }: Sample, fromMs = 0): void {
  for (const config of configs) publication.config(config);
  for (const frame of frames) publication.frame({ ...frame, dtsMs: frame.dtsMs + fromMs, ptsMs: frame.ptsMs + fromMs });
}

const lengths = (text: string) => Array.from(text.matchAll(/#EXTINF:([\d.]+)/g), ([, value]) => Number(value));
const breaks = (text: string) => text.match(/#EXT-X-DISCONTINUITY\n/g)?.length ?? 0;

describe('HLS behind the hub', () => {
  it.each([
    ['an hour forward', 3_600_000],
    ['back to the beginning', 0],
  ])('marks one discontinuity when time jumps %s', async (_name, toMs) => {
    const { publish, playlist } = await published();
    const publication = publish();
    feed(publication, sample(5));
    feed(publication, sample(5), toMs === 0 ? 0 : toMs);
    const text = await playlist();
    expect(breaks(text)).toBe(1);
    expect(Math.max(...lengths(text))).toBeLessThanOrEqual(2.1);
    expect(text).toContain('#EXT-X-TARGETDURATION:2\n');
  });

  it('marks a new video size, and a publisher who takes over', async () => {
    const { publish, playlist } = await published();
    const first = publish();
    feed(first, sample(5));
    feed(first, sample(5, { size: '320x240' }), 5000);
    first.end();
    feed(publish(), sample(5, { audio: false }));
    const text = await playlist();
    expect(breaks(text)).toBe(2);
    expect(Math.max(...lengths(text))).toBeLessThanOrEqual(2.1);
  });

  it('continues when video stops, and when it returns', async () => {
    const { publish, playlist } = await published();
    const publication = publish();
    feed(publication, sample(5));
    const { frames } = sample(9);
    feed(publication, { configs: [], frames: frames.filter(({ kind }) => kind === 'audio') }, 5000);
    feed(publication, { configs: [], frames: sample(5).frames }, 14_000);
    const text = await playlist();
    expect(breaks(text)).toBe(0);
    expect(Math.max(...lengths(text))).toBeLessThanOrEqual(4.3);
  });

  it('survives frames that contain no media', async () => {
    const { publish, playlist, get } = await published();
    const publication = publish();
    feed(publication, sample(5));
    await Promise.race([get('/live/hubbed.ll.m3u8'), new Promise((resolve) => setTimeout(resolve, 100))]);
    const junk = (length: number) => Buffer.alloc(length, 0xff);
    for (let index = 0; index < 200; index++)
      publication.frame({
        kind: index % 2 ? 'video' : 'audio',
        codec: index % 2 ? 'h264' : 'aac',
        dtsMs: 5000 + index * 10,
        ptsMs: 5000 - index * 1000,
        isKeyframe: index % 7 === 0,
        payload: junk(index % 2 ? index : index * 600),
      });
    feed(publication, sample(5), 7000);
    expect(lengths(await playlist()).length).toBeGreaterThan(4);
  });
});
