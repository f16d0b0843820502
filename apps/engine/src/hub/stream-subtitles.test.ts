import type { Cue } from '@weir/streams';
import { expect, it } from 'vitest';
import { StreamSubtitles } from './stream-subtitles.ts';

const english = { language: 'en', name: 'English', isDefault: true };
const german = { language: 'de', name: 'Deutsch', isDefault: false };
const cue = (id: string, startMs: number, text = id): Cue => ({ id, startMs, endMs: startMs + 1000, text });

function begin(...tracks: (typeof english)[]) {
  const clock = { nowMs: 0 };
  const subtitles = new StreamSubtitles(() => clock.nowMs);
  subtitles.setTracks(tracks);
  const kept = (language = 'en') =>
    [...(subtitles.shelf(language)?.all() ?? [])].map(({ id, text }) => `${id} ${text}`);
  return { clock, subtitles, kept };
}

it('keeps cues by language, and none of an unknown language', () => {
  const { subtitles, kept } = begin(english);
  expect(subtitles.add('en', [cue('1', 0)])).toBe(true);
  expect(subtitles.add('de', [cue('1', 0)])).toBe(false);
  expect([kept('en'), kept('de')]).toEqual([['1 1'], []]);
});

it('replaces a cue of the same ID, and removes one whose text becomes empty', () => {
  const { clock, subtitles, kept } = begin(english);
  clock.nowMs = 2000;
  subtitles.add('en', [cue('1', 0, 'helo'), cue('2', 1000)]);
  clock.nowMs = 3000;
  subtitles.add('en', [cue('1', 0, 'hello'), cue('2', 1000, '')]);
  expect(kept()).toEqual(['1 hello']);
  expect([...(subtitles.shelf('en')?.all() ?? [])][0]?.arrivedMs).toBe(2000);
});

it('sets the arrival time of a cue to the arrival of its final text', () => {
  const { clock, subtitles } = begin(english);
  subtitles.add('en', [{ ...cue('1', 0), isInterim: true }]);
  clock.nowMs = 1500;
  subtitles.add('en', [cue('1', 0)]);
  expect([...(subtitles.shelf('en')?.all() ?? [])]).toEqual([{ ...cue('1', 0), arrivedMs: 1500 }]);
});

it('drops cues that are minutes old, and the oldest when they are too many or too long', () => {
  const { clock, subtitles, kept } = begin(english);
  subtitles.add('en', [cue('1', 0)]);
  clock.nowMs = 400_000;
  subtitles.add('en', [cue('2', 399_000)]);
  expect(kept()).toEqual(['2 2']);
  for (let id = 0; id < 3000; id++) subtitles.add('en', [cue(`n${id}`, 399_000)]);
  expect([kept().length, kept()[0]]).toEqual([1000, 'n2000 n2000']);
  for (let id = 0; id < 1000; id++) subtitles.add('en', [cue(`l${id}`, 399_000, 'x'.repeat(2000))]);
  expect(kept().length).toBeLessThan(130);
});

it('refuses cues later than the stream, which belong to an earlier run', () => {
  const { clock, subtitles, kept } = begin(english);
  clock.nowMs = 1000;
  expect(subtitles.add('en', [cue('old', 500_000), cue('new', 500)])).toBe(true);
  expect(kept()).toEqual(['new new']);
});

it('removes the cues of a removed track and keeps those of others', () => {
  const { subtitles, kept } = begin(english, german);
  subtitles.add('en', [cue('1', 0)]);
  subtitles.add('de', [cue('2', 0)]);
  subtitles.setTracks([{ ...english, name: 'English (US)' }]);
  expect([kept('en'), kept('de')]).toEqual([['1 1'], []]);
  // Players still request the removed track.
  expect(subtitles.shelf('de')).toBeDefined();
  for (let n = 0; n < 200; n++) subtitles.setTracks([{ ...german, language: `x-${n}` }]);
  expect([subtitles.shelf('en'), subtitles.shelf('x-199')]).toEqual([undefined, expect.anything()]);
});

it('notifies listeners until they unsubscribe or the stream ends', () => {
  const { subtitles } = begin();
  const told: string[] = [];
  const listener = (name: string) => ({
    onTracks: (tracks: readonly unknown[]) => void told.push(`${name} tracks ${tracks.length}`),
    onCues: (language: string, cues: readonly Cue[]) => void told.push(`${name} ${language} ${cues.length}`),
    onEnd: () => void told.push(`${name} end`),
  });
  const leave = subtitles.listen(listener('a'));
  subtitles.listen(listener('b'));
  subtitles.setTracks([english]);
  subtitles.setTracks([{ ...english }]);
  leave();
  subtitles.add('en', [cue('1', 0)]);
  subtitles.close();
  subtitles.add('en', [cue('2', 0)]);
  expect(told).toEqual(['a tracks 1', 'b tracks 1', 'b en 1', 'b end']);
});
