import { setImmediate } from 'node:timers/promises';
import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { Events } from '../../core/events.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';
import { Captions } from './captions.ts';

const log = createLog('test', 'error');
const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const key = '__defaultVhost__/live/show';
const cue = { epoch: 'c1', startMs: 1000, endMs: 2000, text: 'Good evening.', language: 'en' };
const segment = { ...place, epoch: 'c1', segmentId: 's', startMs: 0, endMs: 4000, dateMs: 0, language: 'en' };

function open(language = 'en', translations: string[] = []) {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream()];
  const events = new Events(log);
  const captions = new Captions({
    mediaServer,
    events,
    language: () => language,
    translations: () => translations,
    log,
  });
  const texts = () => mediaServer.cues.flatMap(({ cues }) => cues.map(({ id, text }) => `${id} ${text}`));
  return { mediaServer, events, captions, texts };
}

it('captions reach the viewers of a stream that has them on, with their language, and of no other stream', async () => {
  const { mediaServer, events, captions, texts } = open();
  events.emit('cue:spoken', { ...place, ...cue });
  // Listeners hear of an event a moment later.
  await setImmediate();
  captions.follow([place]);
  await vi.waitFor(() =>
    expect(mediaServer.tracks.get(key)).toEqual([{ language: 'en', name: 'English', isDefault: true }]),
  );
  events.emit('cue:spoken', { ...place, stream: 'other', ...cue });
  // Understood later, from the segments: neither that nor its translation.
  events.emit('cue:spoken', { ...place, ...cue, isMissed: true });
  events.emit('cue:translated', { ...place, ...cue, source: cue.text, text: 'Guten Abend.', language: 'de' });
  events.emit('cue:spoken', { ...place, ...cue, startMs: 3000, endMs: 3500, text: 'Welcome.' });
  await vi.waitFor(() => expect(texts()).toEqual(['c1/3000 Welcome.']));
});

it('captions are withdrawn when an editor clears them, and replaced when one edits them', async () => {
  const { events, captions, texts } = open();
  captions.follow([place]);
  for (const startMs of [1000, 2500, 5000])
    events.emit('cue:spoken', { ...place, ...cue, startMs, endMs: startMs + 500 });
  const kept = { startMs: 2500, endMs: 3000, text: 'Good morning.' };
  await vi.waitFor(() => expect(texts()).toHaveLength(3));
  events.emit('transcript:settled', { ...segment, cues: [kept] });
  await vi.waitFor(() => expect(texts().slice(3)).toEqual(['c1/1000 ', 'c1/2500 Good morning.']));
  // Unchanged cues are not sent again.
  events.emit('transcript:settled', { ...segment, cues: [kept] });
  events.emit('transcript:settled', { ...segment, epoch: 'c2', startMs: 4000, endMs: 8000, cues: [] });
  events.emit('cue:spoken', { ...place, ...cue, startMs: 6000, endMs: 6500, text: 'Last.' });
  await vi.waitFor(() => expect(texts().slice(5)).toEqual(['c1/6000 Last.']));
});

it('interim captions grow during speech until the final text has the same id, and settled segments ignore them', async () => {
  const { mediaServer, events, captions, texts } = open();
  const growing = { startMs: 1000, endMs: 1400, text: 'Good' };
  captions.grow(place, 'c1', [growing]);
  expect(captions.isShown(place)).toBe(false);
  captions.follow([place]);
  expect(captions.isShown(place)).toBe(true);
  captions.grow(place, 'c1', [growing]);
  await vi.waitFor(() => expect(texts()).toEqual(['c1/1000 Good']));
  expect(mediaServer.cues[0]?.cues).toEqual([{ ...growing, id: 'c1/1000', isInterim: true }]);
  events.emit('transcript:settled', { ...segment, cues: [] });
  events.emit('cue:spoken', { ...place, ...cue });
  await vi.waitFor(() => expect(texts()).toEqual(['c1/1000 Good', 'c1/1000 Good evening.']));
  expect(mediaServer.cues[1]?.cues[0]).not.toHaveProperty('isInterim');
});

it('captions end when they are switched off, and a media server that is away breaks nothing', async () => {
  const { mediaServer, events, captions, texts } = open('');
  captions.follow([place]);
  await vi.waitFor(() =>
    expect(mediaServer.tracks.get(key)).toEqual([{ language: 'und', name: 'Subtitles', isDefault: true }]),
  );
  mediaServer.isAway = true;
  events.emit('cue:spoken', { ...place, ...cue });
  captions.follow([]);
  mediaServer.isAway = false;
  captions.follow([place]);
  captions.follow([]);
  await vi.waitFor(() => expect(mediaServer.tracks.get(key)).toEqual([]));
  expect(texts()).toEqual([]);
});

it('captions come in further languages, and a translation is shown with its original', async () => {
  const { mediaServer, events, captions } = open('en', ['de', 'en']);
  captions.follow([place]);
  await vi.waitFor(() =>
    expect(mediaServer.tracks.get(key)).toEqual([
      { language: 'en', name: 'English', isDefault: true },
      { language: 'de', name: 'Deutsch', isDefault: false },
    ]),
  );
  const told = (language: string) =>
    mediaServer.cues
      .filter((call) => call.language === language)
      .flatMap(({ cues }) => cues.map(({ id, text }) => `${id} ${text}`));
  const german = { ...place, ...cue, language: 'de' };
  for (const startMs of [1000, 2500, 3000])
    events.emit('cue:spoken', { ...place, ...cue, startMs, endMs: startMs + 400 });
  events.emit('cue:translated', { ...german, endMs: 1400, text: 'Guten Abend.', source: 'Good evening.' });
  events.emit('cue:translated', {
    ...german,
    startMs: 2500,
    endMs: 2900,
    text: 'Guten Abend.',
    source: 'Good evening.',
  });
  // Edited before it was shown, and translated again since.
  events.emit('cue:translated', {
    ...german,
    startMs: 3000,
    endMs: 3400,
    text: 'Guten Morgen.',
    source: 'Good morning.',
  });
  await vi.waitFor(() => expect(told('de')).toHaveLength(3));
  const final = [
    { startMs: 1000, endMs: 1400, text: 'Good evening.' },
    { startMs: 3000, endMs: 3400, text: 'Good morning.' },
  ];
  events.emit('transcript:settled', { ...segment, cues: final });
  events.emit('transcript:settled', { ...segment, cues: final });
  await vi.waitFor(() => expect(told('de').slice(3)).toEqual(['c1/2500 ']));
  expect(told('en').slice(3)).toEqual(['c1/2500 ', 'c1/3000 Good morning.']);
});
