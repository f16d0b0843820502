import Hls from 'hls.js';
import { expect, it } from 'vitest';
import type { CaptionEvent } from './cue-event-feed.ts';
import { HlsSubtitleFeed, stripMarkup } from './hls-subtitle-feed.ts';

const english = { id: 0, name: 'English', lang: 'en', default: true };
const chinese = { id: 1, name: '中文', lang: 'zh', default: false };
const found = (...tracks: (typeof english)[]) => ({
  tracks: tracks.map((track) => ({
    label: track.name,
    kind: 'subtitles',
    default: track.default,
    subtitleTrack: track,
  })),
});

/** Real hls.js without media; events pass through it as in a player. */
function open() {
  const hls = new Hls({ enableWorker: false, renderTextTracksNatively: false });
  const subtitles = new HlsSubtitleFeed(Hls, hls);
  const chosen: number[] = [];
  let current = -1;
  Object.defineProperty(hls, 'subtitleTrack', {
    get: () => current,
    set: (id: number) => {
      current = id;
      chosen.push(id);
    },
  });
  // Partial data: the types require fields that are not used.
  const tell = (event: 'NON_NATIVE_TEXT_TRACKS_FOUND' | 'CUES_PARSED', data: object) =>
    hls.trigger(Hls.Events[event], data as never);
  const parse = (track: typeof english, id: string, text: string) =>
    tell('CUES_PARSED', {
      type: 'subtitles',
      track: 'default',
      subtitleTrack: track,
      cues: [{ id, startTime: 3, endTime: 4.5, text }],
    });
  const events: CaptionEvent[] = [];
  return { hls, subtitles, chosen, tell, parse, events, listen: () => subtitles.listen((event) => events.push(event)) };
}

it('emits tracks and cues of a playlist, including earlier ones', async () => {
  const { tell, parse, events, listen } = open();
  tell('NON_NATIVE_TEXT_TRACKS_FOUND', found(english, chinese));
  parse(english, 'a', '<v Ann>one &amp; two</v>');
  listen();
  await Promise.resolve();
  expect(events).toMatchObject([
    { name: 'tracks', tracks: [{ language: 'en', name: 'English', isDefault: true }, { language: 'zh' }] },
    { name: 'past', language: 'en', cues: [{ id: 'a', startMs: 3000, endMs: 4500, text: 'one & two' }] },
  ]);
  parse(chinese, 'b', '三');
  expect(events[2]).toMatchObject({ name: 'past', language: 'zh', cues: [{ text: '三' }] });
});

it('loads only the selected track', async () => {
  const { tell, chosen, events, listen, parse } = open();
  const feed = listen();
  await Promise.resolve();
  tell('NON_NATIVE_TEXT_TRACKS_FOUND', found(english, chinese));
  feed.select?.('zh');
  feed.select?.('zh');
  feed.select?.(undefined);
  expect(chosen).toEqual([1, -1]);
  const before = events.length;
  feed.close();
  parse(english, 'c', 'unheard');
  expect(events).toHaveLength(before);
});

it('separates tracks of the same language and embedded captions', async () => {
  const { tell, events, listen } = open();
  listen();
  await Promise.resolve();
  tell('NON_NATIVE_TEXT_TRACKS_FOUND', found(english, { ...english, id: 1, name: 'English (simple)' }));
  tell('NON_NATIVE_TEXT_TRACKS_FOUND', {
    tracks: [{ _id: 'textTrack1', label: 'Caption 1', kind: 'captions', default: false }],
  });
  tell('CUES_PARSED', {
    type: 'captions',
    track: 'textTrack1',
    cues: [{ id: '', startTime: 1, endTime: 2, text: 'x' }],
  });
  const tracks = events.findLast(({ name }) => name === 'tracks');
  expect(tracks).toMatchObject({ tracks: [{ language: 'en' }, { language: 'en-x-1' }, { language: 'Caption 1' }] });
  expect(events.at(-1)).toMatchObject({ name: 'past', language: 'Caption 1', cues: [{ text: 'x' }] });
});

it('strips WebVTT tags and decodes entities', () => {
  expect(stripMarkup('<i>a</i> &lt;b&gt; &amp;lt; &what;')).toBe('a <b> &lt; &what;');
});
