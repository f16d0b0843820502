import { recordPaths } from '@weir/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { parseWebVtt } from './parse-web-vtt.ts';
import { RecordedSubtitles, transcriptAddress } from './recorded-subtitles.ts';

const page = new URL('https://weir.example/tools/player.html?url=x');
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const home = '/terraform/v1/hooks/record/hls';

it('knows the transcript of a recording of ours, with what opens it, and of nothing else', () => {
  const vtt = `https://weir.example${home}/${uuid}/index.vtt?sign=a`;
  for (const path of [`${uuid}.m3u8`, `${uuid}/index.m3u8`, `${uuid}/index.mp4`]) {
    expect(transcriptAddress(`https://weir.example${home}/${path}?sign=a`, page)).toBe(vtt);
    expect(transcriptAddress(`${home}/${path}?sign=a`, page)).toBe(vtt);
  }
  for (const path of [recordPaths.mp4(uuid), recordPaths.m3u8(uuid)]) {
    expect(transcriptAddress(path, page)).toBe(new URL(recordPaths.transcript(uuid, 'vtt'), page).href);
  }
  for (const other of [
    `https://elsewhere.example${home}/${uuid}.m3u8`,
    `/files/${uuid}/index.mp4`,
    `${home}/x.m3u8`,
    'http://[',
  ]) {
    expect(transcriptAddress(other, page)).toBeUndefined();
  }
});

it('reads cues with and without hours, over several lines, and passes over what is none', () => {
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

/** The element's tracks, which the page of the tests does not have. */
function open({ isOn = false, answers }: { isOn?: boolean; answers: string[] }) {
  const cues: { text: string }[] = [];
  const made: string[] = [];
  const track = {
    mode: 'disabled',
    cues,
    addCue: (cue: { text: string }) => cues.push(cue),
    removeCue: () => cues.pop(),
  };
  const textTracks = new EventTarget();
  const video = Object.assign(new EventTarget(), {
    textTracks,
    addTextTrack: (_kind: string, label: string) => {
      made.push(label);
      return track;
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
    return new Response(answer ?? '', { status: answer === undefined ? 500 : 200 });
  });
  const choices: boolean[] = [];
  const subtitles = new RecordedSubtitles({
    video: video as unknown as HTMLVideoElement,
    address: '/index.vtt',
    label: 'Subtitles',
    isOn,
    onChoice: (choice) => choices.push(choice),
  });
  return { subtitles, video, textTracks, track, made, asked, choices, texts: () => cues.map(({ text }) => text) };
}

const said = (...texts: string[]) =>
  `WEBVTT\n\n${texts.map((text, n) => `00:0${n}.000 --> 00:0${n}.900\n${text}\n\n`).join('')}`;

it('offers no track for a recording in which nothing was said', async () => {
  const { asked, made } = open({ answers: ['WEBVTT\n\n'] });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await Promise.resolve();
  expect(made).toEqual([]);
});

it('shows them to who wanted subtitles before, and remembers what is chosen in the menu of the browser', async () => {
  const { track, textTracks, choices, texts, subtitles } = open({ isOn: true, answers: [said('hello')] });
  await vi.waitFor(() => expect(texts()).toEqual(['hello']));
  expect(track.mode).toBe('showing');
  textTracks.dispatchEvent(new Event('change'));
  expect(choices).toEqual([]);
  track.mode = 'disabled';
  textTracks.dispatchEvent(new Event('change'));
  expect(choices).toEqual([false]);
  subtitles.close();
  expect(texts()).toEqual([]);
  textTracks.dispatchEvent(new Event('change'));
  expect(choices).toEqual([false]);
});

it('adds what was said since when the recording grew, each text once, and not more often than needed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { video, asked, texts, made } = open({ answers: [said('one'), said('one', 'two')] });
  const grow = () => video.dispatchEvent(new Event('durationchange'));
  await vi.waitFor(() => expect(texts()).toEqual(['one']));
  grow();
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  grow();
  await vi.waitFor(() => expect(texts()).toEqual(['one', 'two']));
  expect(made).toEqual(['Subtitles']);
});
