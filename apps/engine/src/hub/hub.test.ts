import type { MediaFrame, TrackConfig } from '@weir/media';
import { placeOfUrl } from '@weir/streams';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { windowFor } from './fan-out/flush-window.ts';
import { audioConfig, client, picture, place, sound, videoConfig } from './frames.fixture.ts';
import { GopCache } from './gop-cache.ts';
import { Hub } from './hub.ts';
import type { Packager } from './packager.ts';
import { RateMeter } from './rate-meter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Writes down what a stream tells its packagers. */
class Recorder implements Packager {
  readonly heard: string[] = [];
  readonly times: number[] = [];
  onConfig({ kind }: TrackConfig) {
    this.heard.push(`config ${kind}`);
  }
  onFrame(frame: MediaFrame) {
    this.heard.push(`${frame.kind}${frame.kind === 'video' && frame.isKeyframe ? ' key' : ''}`);
    this.times.push(frame.dtsMs);
  }
  onDiscontinuity() {
    this.heard.push('seam');
  }
  close() {
    this.heard.push('close');
  }
}

function openStream(returnMs = 1000) {
  const hub = new Hub({ returnMs });
  const stream = hub.open(place);
  if (!stream) throw new Error('no stream');
  return { hub, stream };
}

describe('Stream', () => {
  it('gives a packager the configs first and then the frames', () => {
    const { stream } = openStream();
    const publication = stream.publish(client());
    publication.config(videoConfig);
    publication.frame(picture(1000, true));
    const recorder = new Recorder();
    stream.attach(recorder);
    publication.config(audioConfig);
    publication.frame(sound(1010));
    publication.config({ ...audioConfig });
    expect(recorder.heard).toEqual(['config video', 'config audio', 'audio']);
  });

  it('reports a new video size even when the codec record does not contain it', () => {
    const { stream } = openStream();
    const publication = stream.publish(client());
    const recorder = new Recorder();
    stream.attach(recorder);
    const vp9 = { ...videoConfig, codec: 'vp9', width: 1280, height: 720 } as const;
    for (const config of [vp9, { ...vp9 }, { ...vp9, width: 640, height: 360 }]) publication.config(config);
    expect(recorder.heard).toEqual(['config video', 'config video']);
    expect(stream.video).toMatchObject({ width: 640, height: 360 });
  });

  it('refuses a second publisher without affecting the first', () => {
    const { stream } = openStream();
    const recorder = new Recorder();
    const first = stream.publish(client());
    stream.attach(recorder);
    expect(() => stream.publish(client())).toThrow('already being published');
    first.frame(picture(0, true));
    expect(recorder.heard).toEqual(['video key']);
  });

  it('keeps viewers while a publisher is away, and continues the timeline with a discontinuity', () => {
    const { hub, stream } = openStream(1000);
    const recorder = new Recorder();
    stream.attach(recorder);
    const first = stream.publish(client());
    first.frame(picture(70_000, true));
    first.frame(picture(70_040));
    first.end();
    first.frame(picture(70_080));
    vi.advanceTimersByTime(900);
    const second = stream.publish(client());
    vi.advanceTimersByTime(5000);
    second.frame(picture(5, true));
    second.frame(picture(45));
    expect(recorder.heard).toEqual(['video key', 'video', 'seam', 'video key', 'video']);
    expect(recorder.times).toEqual([0, 40, 80, 120]);
    second.end();
    vi.advanceTimersByTime(1000);
    expect(recorder.heard.at(-1)).toBe('close');
    expect(hub.size).toBe(0);
  });

  it('releases the memory of 20,000 names that were used once', () => {
    const hub = new Hub({ returnMs: 1000 });
    for (let n = 0; n < 20_000; n++)
      hub
        .open({ ...place, name: `s${n}` })
        ?.publish(client())
        .end();
    expect(hub.open({ ...place, name: 'one too many' })).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(hub.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('GopCache', () => {
  it('holds the frames a decoder needs to start, and no more', () => {
    const cache = new GopCache();
    cache.push(picture(0));
    cache.push(picture(40, true));
    cache.push(sound(50));
    cache.push(picture(80));
    expect(cache.frames.map(({ dtsMs }) => dtsMs)).toEqual([40, 50, 80]);
    cache.push(picture(120, true));
    expect(cache.frames.map(({ dtsMs }) => dtsMs)).toEqual([120]);
  });

  it('keeps a second of audio when there is no video', () => {
    const cache = new GopCache();
    for (let ms = 0; ms <= 5000; ms += 100) cache.push(sound(ms));
    expect(cache.frames[0]?.dtsMs).toBe(4000);
  });

  it('drops a group of pictures that is too large or too long, until the next keyframe', () => {
    const large = new GopCache();
    large.push(picture(0, true, 10 * 1024 * 1024));
    large.push(picture(40, false, 10 * 1024 * 1024));
    large.push(picture(80));
    expect([large.frames.length, large.bytes]).toEqual([0, 0]);
    large.push(picture(120, true));
    expect(large.frames).toHaveLength(1);
    const long = new GopCache();
    for (let ms = 0; ms <= 31_000; ms += 1000) long.push(picture(ms, ms === 0));
    expect(long.frames).toHaveLength(0);
  });
});

describe('RateMeter', () => {
  it('averages whole seconds of the last half minute', () => {
    const meter = new RateMeter(0);
    for (let ms = 0; ms < 40_000; ms += 100) meter.add(10, ms);
    expect(meter.perSecond(5, 40_000)).toBe(100);
    expect(meter.perSecond(30, 40_000)).toBe(100);
    expect(meter.perSecond(5, 60_000)).toBe(0);
    expect(meter.total).toBe(4000);
  });
});

describe('windowFor', () => {
  it('does not delay for few viewers, delays within the budget for many, and longer only on a full core', () => {
    expect(windowFor(0.5, 0, 0.1)).toBe(0);
    expect(windowFor(5, 0, 0.1)).toBe(120);
    expect(windowFor(100, 0, 0.3)).toBe(170);
    expect(windowFor(100, 0, 0.9)).toBe(350);
    expect(windowFor(0.1, 0, 0.75)).toBeGreaterThan(100);
  });
});

describe('placeOfUrl', () => {
  it.each([
    ['/live/one.flv', 'live', 'one', '__defaultVhost__'],
    ['/a/b/c.flv?x=1&vhost=v', 'a/b', 'c', 'v'],
    ['/live/%E4%B8%AD.flv', 'live', '中', '__defaultVhost__'],
    ['/live/one.flv?vhost=..%2F..%2Fx', 'live', 'one', '__defaultVhost__'],
    ['/live/one.flv?vhost=a%00b', 'live', 'one', '__defaultVhost__'],
  ])('reads %s', (url, app, name, vhost) => {
    expect(placeOfUrl(url, '.flv')?.place).toEqual({ app, name, vhost });
  });

  it.each([
    '/one.flv',
    '/live/.flv',
    '/../x.flv',
    '/a/%2e%2e/x.flv',
    '/live/a%00.flv',
    '/live/a%5cb.flv',
    '/live/x.m3u8',
    '/%',
    `/live/${'x'.repeat(600)}.flv`,
  ])('refuses %s', (url) => {
    expect(placeOfUrl(url, '.flv')).toBeUndefined();
  });
});
