import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AiProvider } from '../../../../../../tests/ai-provider.fixture.ts';
import { createTestAi, silentLog } from '../../../ai/ai.fixture.ts';
import { aiLimits } from '../../../ai/meter/ai-limits.ts';
import { FakeClock } from '../../../core/clock.fixture.ts';
import { Events } from '../../../core/events.ts';
import type { SegmentTranscript } from '../../../transcript-index/transcript-index.ts';
import { webVtt } from '../output/hls-routes.ts';
import { segmentRow } from '../pipeline/segment-row.fixture.ts';
import { Translations } from './translations.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const key = '__defaultVhost__/live/show';
const cue = (n: number, text = `line ${n}`) => ({ startMs: n * 1000, endMs: n * 1000 + 900, text });
/** `1| line 7` becomes `1| DE line 7`. */
const inGerman = (message: string) =>
  (message.split('Translate:\n')[1] ?? '').replaceAll(/^(\d+)\| /gm, (numbered) => `${numbered}DE `);

let provider: AiProvider;
let opened: Translations[] = [];
beforeAll(async () => {
  provider = await AiProvider.start();
});
afterAll(() => provider.close());
beforeEach(() => {
  Object.assign(provider, { mood: 'well', reply: inGerman, mostAtOnce: 0, slowMs: 300 });
  provider.asked.length = 0;
});
afterEach(() => {
  for (const translations of opened) translations.close();
  opened = [];
});

async function open(languages = ['de']) {
  const clock = new FakeClock('2026-01-01');
  const { ai, setGlobal, store } = createTestAi({ clock });
  await setGlobal(provider.baseURL);
  const now = { all: true, lang: 'en', translations: languages };
  const settings = { now, provider: { secretKey: '', baseURL: '', organization: '' } };
  const kept: SegmentTranscript[] = [];
  const events = new Events(silentLog);
  const words = { keep: (one: SegmentTranscript) => void kept.push(one) };
  const translations = new Translations({ ai, clock, events, words, settings });
  opened.push(translations);
  const heard: string[] = [];
  events.on('cue:translated', ({ language, text }) => void heard.push(`${language}: ${text}`));
  const speak = (n: number, text?: string) =>
    events.emit('cue:spoken', { ...place, epoch: 'c1', language: 'en', ...cue(n, text) });
  const shown = (n: number, language = 'de') => translations.cuesIn(language, place, 'c1', [cue(n)])[0]?.text;
  const report = () => translations.report(key)[0];
  /** Lets time pass until it is so: pauses and deadlines are of the clock, answers are not. */
  const until = (check: () => void, stepMs = 250) =>
    vi.waitFor(
      () => {
        clock.pass(stepMs);
        check();
      },
      { interval: 5 },
    );
  return { clock, settings, store, translations, events, kept, heard, speak, shown, report, until };
}

describe('live translation', () => {
  it('gives every chosen language, with the neighbouring lines as context', async () => {
    const { heard, speak, shown, translations, report } = await open(['de', 'fr']);
    speak(1, 'Good\nevening.');
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['de: DE Good evening.', 'fr: DE Good evening.']));
    speak(2);
    await vi.waitFor(() => expect(shown(2)).toBe('DE line 2'));
    const asked = provider.asked.map(({ body }) => JSON.parse(body.toString()).messages);
    expect(asked.at(-1)[1].content).toContain('Good evening. => DE Good evening.');
    expect(translations.cuesIn('de', place, 'c2', [cue(2)])).toEqual([]);
    expect(translations.cuesIn('de', place, 'c1', [cue(2, 'edited since')])).toEqual([]);
    expect(report()).toMatchObject({ language: 'de', done: 2, skipped: 0, cause: null });
  });

  it('uses the original where it is in a wanted language, and asks no provider', async () => {
    const { events, heard } = await open(['de']);
    events.emit('cue:spoken', { ...place, epoch: 'c1', ...cue(1, 'Guten Tag'), language: 'de' });
    await vi.waitFor(() => expect(heard).toEqual(['de: Guten Tag']));
    expect(provider.asked).toEqual([]);
  });

  it('is stored when its segment is final, and repeated for edited text', async () => {
    const { events, kept, speak, shown } = await open();
    speak(1);
    await vi.waitFor(() => expect(shown(1)).toBe('DE line 1'));
    expect(kept).toEqual([]);
    const segment = { ...place, epoch: 'c1', segmentId: 's1', startMs: 0, endMs: 4000, dateMs: 7, language: 'en' };
    events.emit('transcript:settled', { ...segment, cues: [cue(1), cue(2, 'edited')] });
    await vi.waitFor(() => expect(kept).toHaveLength(2));
    expect(kept.map(({ kind, segmentId, dateMs, cues }) => [kind, segmentId, dateMs, cues[0]?.text])).toEqual([
      ['translation/de', 's1', 7, 'DE line 1'],
      ['translation/de', 's1', 7, 'DE edited'],
    ]);
  });
});

describe('a translation provider', () => {
  it('that is slow gets fewer, longer requests, and never more than two at a time', async () => {
    provider.mood = 'slow';
    const { heard, speak, report } = await open(['de', 'fr', 'es']);
    for (let n = 1; n <= 12; n++) speak(n);
    await vi.waitFor(() => expect(heard).toHaveLength(36));
    expect(provider.mostAtOnce).toBeLessThanOrEqual(2);
    expect(provider.asked.length).toBeLessThanOrEqual(9);
    expect(report()).toMatchObject({ done: 12, skipped: 0 });
  });

  it('that fails every third time causes no missing line', async () => {
    provider.mood = 'fails-every-third';
    const { speak, shown, until } = await open();
    for (let n = 1; n <= 6; n++) {
      speak(n);
      await until(() => expect(shown(n)).toBe(`DE line ${n}`));
    }
  });

  it('that never answers is abandoned after a limit, old lines are dropped, and it is used again when it is back', async () => {
    provider.mood = 'silent';
    const { speak, shown, report, until } = await open();
    for (let n = 1; n <= 60; n++) speak(n);
    await until(() => expect(report()?.cause).toBe('timeout'), 1000);
    expect(report()?.waiting).toBeLessThanOrEqual(24);
    expect(report()?.skipped).toBeGreaterThanOrEqual(60 - 24 - 8);
    provider.mood = 'well';
    await until(() => expect(shown(60)).toBe('DE line 60'), 1000);
    expect(report()).toMatchObject({ waiting: 0, cause: null });
    speak(61);
    await until(() => expect(shown(61)).toBe('DE line 61'));
  });

  it('that disappears is reported, and used again when it is back', async () => {
    const { speak, shown, report, until } = await open();
    await provider.disappear();
    speak(1);
    await until(() => expect(report()).toMatchObject({ cause: 'unreachable', skipped: 1 }), 1000);
    await provider.comeBack();
    speak(2);
    await until(() => expect(shown(2)).toBe('DE line 2'), 1000);
    expect([shown(1), report()?.cause]).toEqual([undefined, null]);
  });

  it.each(['garbage', 'wrong-types', 'huge', 'cut'] as const)(
    'whose answer is invalid (%s) is not shown',
    async (mood) => {
      provider.mood = mood;
      const { heard, speak, report, until } = await open();
      speak(1);
      await until(() => expect(report()?.skipped).toBe(1), 1000);
      expect([heard, report()?.cause !== null]).toEqual([[], true]);
    },
  );

  it.each([
    ['that is too long', () => `1| ${'word '.repeat(100_000)}`],
    ['with too few lines', () => ''],
    ['with others', () => '7| x\n8| y'],
  ])('whose translation is one %s is asked once more, then skipped', async (_name, reply) => {
    provider.reply = reply;
    const { heard, speak, report, until } = await open();
    speak(1);
    await until(() => expect(report()).toMatchObject({ skipped: 1, cause: 'bad-answer' }), 1000);
    expect([heard, provider.count('/chat/completions')]).toEqual([[], 2]);
  });

  it('that confuses many lines is asked for each one alone', async () => {
    provider.reply = (message) => (message.includes('2| ') ? '1| only one' : inGerman(message));
    const { speak, shown, until } = await open();
    for (const n of [1, 2, 3]) speak(n);
    await until(() => expect([1, 2, 3].map((n) => shown(n))).toEqual([1, 2, 3].map((n) => `DE line ${n}`)));
  });

  it('cannot break a WebVTT file', async () => {
    provider.reply = () => '1| \u0000x --> 00:00 <script>alert(1)</script> &lt;\u2028NOTE';
    const { translations, speak, shown } = await open();
    speak(1);
    await vi.waitFor(() => expect(shown(1)).toBeDefined());
    const text = webVtt(segmentRow({ startMs: 0 }), translations.cuesIn('de', place, 'c1', [cue(1)]));
    expect(text.split('\n').slice(3)).toEqual([
      '00:00:01.000 --> 00:00:01.900',
      'x --&gt; 00:00',
      '&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; NOTE',
      '',
      '',
    ]);
  });

  it('is asked no more often than the owner allows in a day', async () => {
    const { speak, report, store, shown, until } = await open();
    const limits = aiLimits(store);
    await limits.put({ ...(await limits.read()), translation: { calls: 1, minutes: 0 } });
    speak(1);
    await until(() => expect(shown(1)).toBeDefined());
    speak(2);
    await until(() => expect(report()?.cause).toBe('limit-reached'), 1000);
  });
});

it('the provider is not asked after the end of the task or the removal of the language', async () => {
  const { settings, speak, heard, translations, shown } = await open(['de', 'fr']);
  speak(1);
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  settings.now.translations = ['fr'];
  translations.refresh();
  expect(translations.report(key).map(({ language }) => language)).toEqual(['fr']);
  settings.now.all = false;
  translations.refresh();
  speak(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect([shown(1), shown(2, 'fr'), provider.count('/chat/completions')]).toEqual([undefined, undefined, 2]);
});
