import { recordPaths } from '@weir/contract';
import { afterEach, expect, it, vi } from 'vitest';
import type { CaptionChoice } from './caption-choice.ts';
import { findTranscriptAddress, parseWebVtt, RecordedSubtitles } from './recorded-subtitles.ts';

const page = new URL('https://weir.example/tools/player.html?url=x');
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const home = '/terraform/v1/hooks/record/hls';

it('finds the transcript URL of our recordings only, with its access query', () => {
  const vtt = `https://weir.example${home}/${uuid}/index.vtt?sign=a`;
  for (const path of [`${uuid}.m3u8`, `${uuid}/index.m3u8`, `${uuid}/index.mp4`]) {
    expect(findTranscriptAddress(`https://weir.example${home}/${path}?sign=a`, page)).toBe(vtt);
    expect(findTranscriptAddress(`${home}/${path}?sign=a`, page)).toBe(vtt);
  }
  for (const path of [recordPaths.mp4(uuid), recordPaths.m3u8(uuid)]) {
    expect(findTranscriptAddress(path, page)).toBe(new URL(recordPaths.transcript(uuid, 'vtt'), page).href);
  }
  for (const other of [
    `https://elsewhere.example${home}/${uuid}.m3u8`,
    `/files/${uuid}/index.mp4`,
    `${home}/x.m3u8`,
    'http://[',
  ]) {
    expect(findTranscriptAddress(other, page)).toBeUndefined();
  }
});

it('parses cues with and without hours over several lines and skips the rest', () => {
  const file = [
    'WEBVTT',
    'NOTE nothing',
    '7\n00:01.500 --> 00:02.000 line:90%\none &amp; two\nthree',
    '01:00:00.000 --> 01:00:01.250\nlate',
    '00:03.000 --> 00:04.000\n',
    'nonsense --> 1',
  ].join('\r\n\r\n');
  expect(parseWebVtt(file)).toEqual([
    { startSeconds: 1.5, endSeconds: 2, text: 'one &amp; two\nthree' },
    { startSeconds: 3600, endSeconds: 3601.25, text: 'late' },
  ]);
  expect(parseWebVtt('')).toEqual([]);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

interface Opening {
  choice?: CaptionChoice;
  answers: string[];
  headers?: Record<string, string>;
}

interface FakeTrack {
  mode: string;
  cues: { text: string }[];
  addCue(cue: { text: string }): void;
  removeCue(): void;
}

/** Video element with text tracks, which jsdom lacks. */
function open({ choice, answers, headers = {} }: Opening) {
  const made: string[] = [];
  const tracks: FakeTrack[] = [];
  const textTracks = new EventTarget();
  const video = Object.assign(new EventTarget(), {
    textTracks,
    addTextTrack: (_kind: string, label: string, language: string) => {
      const cues: { text: string }[] = [];
      const removeCue = () => cues.pop();
      made.push(`${label} ${language}`);
      tracks.push({ mode: 'disabled', cues, addCue: (cue) => cues.push(cue), removeCue });
      return tracks.at(-1);
    },
  });
  const asked: string[] = [];
  vi.stubGlobal(
    'VTTCue',
    class {
      readonly text: string;
      constructor(_start: number, _end: number, text: string) {
        this.text = text;
      }
    },
  );
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    const answer = answers.shift();
    return new Response(answer ?? '', { status: answer === undefined ? 500 : 200, headers });
  });
  const choices: object[] = [];
  const subtitles = new RecordedSubtitles({
    video: video as unknown as HTMLVideoElement,
    address: '/index.vtt',
    label: 'Subtitles',
    choice,
    onChoice: (chosen) => choices.push(chosen),
  });
  const texts = (n = 0) => tracks[n]?.cues.map(({ text }) => text) ?? [];
  const show = (n: number | undefined) => {
    for (const [at, track] of tracks.entries()) track.mode = at === n ? 'showing' : 'disabled';
    textTracks.dispatchEvent(new Event('change'));
  };
  return { subtitles, video, textTracks, tracks, made, asked, choices, texts, show };
}

const said = (...texts: string[]) =>
  `WEBVTT\n\n${texts.map((text, n) => `00:0${n}.000 --> 00:0${n}.900\n${text}\n\n`).join('')}`;

it('adds no track for a recording without speech', async () => {
  const { asked, made } = open({ answers: ['WEBVTT\n\n'] });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await Promise.resolve();
  expect(made).toEqual([]);
});

it('restores the viewer preference and stores the choice made in the browser menu', async () => {
  const choice = { isOn: true, language: 'en' };
  const { tracks, textTracks, choices, texts, show, subtitles } = open({ choice, answers: [said('hello')] });
  await vi.waitFor(() => expect(texts()).toEqual(['hello']));
  expect(tracks[0]?.mode).toBe('showing');
  textTracks.dispatchEvent(new Event('change'));
  expect(choices).toEqual([]);
  show(undefined);
  expect(choices).toEqual([{ isOn: false }]);
  subtitles.close();
  expect(texts()).toEqual([]);
  show(0);
  expect(choices).toEqual([{ isOn: false }]);
});

it('names the language and loads a translation when selected', async () => {
  const headers = {
    'content-language': 'en',
    link: '<?lang=de>; rel="alternate"; hreflang="de", <?lang=zh>; hreflang="zh"',
  };
  const { made, asked, texts, show, choices } = open({ answers: [said('hello'), said('hallo')], headers });
  await vi.waitFor(() => expect(texts()).toEqual(['hello']));
  expect(made).toEqual(['English en', 'Deutsch de', '中文 zh']);
  expect(asked).toHaveLength(1);
  show(1);
  await vi.waitFor(() => expect(texts(1)).toEqual(['hallo']));
  expect(asked[1]).toContain('/index.vtt?lang=de');
  expect(choices).toEqual([{ isOn: true, language: 'de' }]);
});

it('adds new cues of a growing recording once, at a limited rate', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { video, asked, texts, made } = open({ answers: [said('one'), said('one', 'two')] });
  const grow = () => video.dispatchEvent(new Event('durationchange'));
  await vi.waitFor(() => expect(texts()).toEqual(['one']));
  grow();
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  grow();
  await vi.waitFor(() => expect(texts()).toEqual(['one', 'two']));
  expect(made).toEqual(['Subtitles und']);
});
