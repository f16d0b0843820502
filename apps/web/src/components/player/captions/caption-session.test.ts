import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CaptionChoice } from './caption-choice.ts';
import { CaptionSession, type CaptionState, noCaptions } from './caption-session.ts';
import type { CaptionEvent } from './cue-event-feed.ts';

const english = { language: 'en', name: 'English', isDefault: true };
const chinese = { language: 'zh', name: '中文', isDefault: false };
const cue = (id: string, startMs: number, text = id) => ({ id, startMs, endMs: startMs + 1000, text });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Session of a player that is `behindMs` behind the live edge. */
function open({ choice, behindMs = 0 }: { choice?: CaptionChoice; behindMs?: number } = {}) {
  let state: CaptionState = noCaptions;
  let tell: (event: CaptionEvent) => void = () => undefined;
  const calls: string[] = [];
  const session = new CaptionSession({
    choice,
    positionMs: (edgeMs) => edgeMs - behindMs,
    onChange: (next) => {
      state = next;
    },
    open: (onEvent) => {
      tell = onEvent;
      return { close: () => calls.push('close'), suspend: () => calls.push('rest'), resume: () => calls.push('wake') };
    },
  });
  return {
    session,
    calls,
    tell: (event: CaptionEvent) => tell(event),
    text: () => state.lines.map(({ text }) => text),
    state: () => state,
  };
}

it('shows the default track at once at the live edge', () => {
  const { tell, text, state } = open();
  tell({ name: 'tracks', tracks: [english, chinese] });
  expect(state().track).toEqual(english);
  tell({ name: 'cues', nowMs: 5000, language: 'en', cues: [cue('a', 3500)] });
  tell({ name: 'cues', nowMs: 5000, language: 'zh', cues: [cue('b', 3500)] });
  expect(text()).toEqual(['a']);
  vi.advanceTimersByTime(1100);
  expect(text()).toEqual([]);
});

it('delays a cue for a player behind the live edge', () => {
  const { tell, text } = open({ behindMs: 4000 });
  tell({ name: 'tracks', tracks: [english] });
  tell({ name: 'cues', nowMs: 5000, language: 'en', cues: [cue('a', 3000)] });
  expect(text()).toEqual([]);
  vi.advanceTimersByTime(1900);
  expect(text()).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(text()).toEqual(['a']);
});

it('shows current cues to viewers who join or return', () => {
  const { tell, text } = open();
  tell({ name: 'time', nowMs: 6000 });
  tell({ name: 'tracks', tracks: [english] });
  tell({ name: 'past', knownMs: 4000, language: 'en', cues: [cue('long gone', 2000)] });
  tell({ name: 'past', knownMs: 5500, language: 'en', cues: [cue('said just now', 3500)] });
  expect(text()).toEqual(['said just now']);
  vi.advanceTimersByTime(600);
  expect(text()).toEqual([]);
});

it('is connected only while subtitles are on', () => {
  const { session, tell, calls, state } = open({ choice: { isOn: false, language: 'zh' } });
  tell({ name: 'tracks', tracks: [english, chinese] });
  expect([state().tracks.length, state().track, calls]).toEqual([2, undefined, ['rest']]);
  session.choose({ isOn: true, language: 'zh' });
  expect([state().track, calls]).toEqual([chinese, ['rest', 'wake']]);
  session.choose({ isOn: true, language: 'en' });
  session.choose({ isOn: false, language: 'en' });
  session.close();
  expect(calls).toEqual(['rest', 'wake', 'rest', 'close']);
});

it('clears the screen when the stream ends its subtitles', () => {
  const { tell, text, state } = open();
  tell({ name: 'tracks', tracks: [english] });
  tell({ name: 'cues', nowMs: 0, language: 'en', cues: [cue('a', 0)] });
  expect(text()).toEqual(['a']);
  tell({ name: 'tracks', tracks: [] });
  expect(state()).toEqual(noCaptions);
});

it('shows playlist cues on time and selects the language in the playlist', () => {
  let state: CaptionState = noCaptions;
  let tell: (event: CaptionEvent) => void = () => undefined;
  let positionMs = 2000;
  const chosen: (string | undefined)[] = [];
  const session = new CaptionSession({
    choice: undefined,
    positionMs: () => positionMs,
    onChange: (next) => {
      state = next;
    },
    open: (onEvent) => {
      tell = onEvent;
      const nothing = () => undefined;
      return { close: nothing, suspend: nothing, resume: nothing, select: (language) => chosen.push(language) };
    },
  });
  tell({ name: 'tracks', tracks: [english, chinese] });
  const cues = [cue('gone', 500), cue('here', 1500), cue('soon', 5000)];
  tell({ name: 'past', knownMs: Number.NEGATIVE_INFINITY, language: 'en', cues });
  expect(state.lines.map(({ text }) => text)).toEqual(['here']);
  positionMs = 5100;
  vi.advanceTimersByTime(200);
  expect(state.lines.map(({ text }) => text)).toEqual(['soon']);
  session.choose({ isOn: true, language: 'zh' });
  session.choose({ isOn: false, language: 'zh' });
  expect([chosen, state.lines]).toEqual([['en', 'zh', undefined], []]);
  session.close();
});
