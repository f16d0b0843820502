import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../core/clock.fixture.ts';
import type { LoggedSegment } from '../segments/segment-log.ts';
import { type SegmentTranscript, TranscriptIndex } from './transcript-index.ts';

const home = mkdtempSync(join(tmpdir(), 'weir-words-'));
afterAll(() => rmSync(home, { recursive: true }));
const log = createLog('test', 'error');
log.level = 'silent';
const dateMs = Date.parse('2026-03-01T08:00:00Z');
const all = { most: 100, before: Number.MAX_SAFE_INTEGER };

let file: string;
let words: TranscriptIndex;
let clock: FakeClock;
beforeEach(() => {
  file = join(mkdtempSync(join(home, 'x-')), 'words.db');
  clock = new FakeClock('2026-03-01');
  words = new TranscriptIndex({ place: { file, isShared: false }, log, clock });
});
afterEach(() => words.close());

const segment = (facts: Partial<SegmentTranscript> = {}): SegmentTranscript => ({
  ...({ kind: 'speech', vhost: '__defaultVhost__', app: 'live', stream: 'show', epoch: 'c1', language: 'en' } as const),
  segmentId: randomUUID(),
  startMs: 100_000,
  dateMs,
  cues: [],
  ...facts,
});
const cue = (startMs: number, text: string) => ({ startMs, endMs: startMs + 900, text });
const textsOf = (query: string) => words.search(query, all).map(({ text }) => text);

describe('the transcript index', () => {
  it('finds words by any prefix, newest first, with their date, and creates no file before the first words', () => {
    expect([textsOf('hello'), words.hasSpoken('r'), readdirSync(join(file, '..'))]).toEqual([[], false, []]);
    words.keep(segment({ cues: [cue(100_500, 'Hello to everybody'), cue(101_500, 'good evening')] }));
    words.keep(segment({ startMs: 102_000, dateMs: dateMs + 2000, cues: [cue(102_000, 'Hello again')] }));
    expect(textsOf('hel')).toEqual(['Hello again', 'Hello to everybody']);
    expect(textsOf('every hello')).toEqual(['Hello to everybody']);
    expect(textsOf('ello')).toEqual([]);
    expect(words.search('evening', all)).toMatchObject([
      {
        date: '2026-03-01T08:00:01.500Z',
        stream: 'show',
        kind: 'speech',
        marks: [[5, 12]],
        recording: null,
        second: null,
        language: 'en',
      },
    ]);
    const [newest] = words.search('hello', { ...all, most: 1 });
    expect(words.search('hello', { most: 1, before: newest?.id ?? 0 })).toMatchObject([{ text: 'Hello to everybody' }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps translations beside the original, deletes them with the recording, and does not search them', () => {
    const segmentId = randomUUID();
    words.recorded(segmentId, 'r1', 4000);
    words.keep(segment({ segmentId, cues: [cue(100_500, 'Hello')] }));
    words.keep(segment({ segmentId, kind: 'translation/fr', language: 'fr', cues: [cue(100_500, 'Bonjour')] }));
    for (const text of ['Halo', 'Hallo'])
      words.keep(segment({ segmentId, kind: 'translation/de', language: 'de', cues: [cue(100_500, text)] }));
    expect(words.spokenIn('r1')).toEqual([{ startMs: 4500, endMs: 5400, text: 'Hello' }]);
    expect(words.spokenIn('r1', 'de')).toEqual([{ startMs: 4500, endMs: 5400, text: 'Hallo' }]);
    expect([words.translationsOf('r1'), words.spokenIn('r1', 'it'), words.translationsOf('r2')]).toEqual([
      ['de', 'fr'],
      [],
      [],
    ]);
    expect([words.languageOf('r1'), words.languageOf('r2')]).toEqual(['en', '']);
    expect([textsOf('hallo'), textsOf('hello')]).toEqual([[], ['Hello']]);
    words.forget('r1');
    expect(words.spokenIn('r1', 'fr')).toEqual([]);
  });

  it.each([
    ['世界', ['你好世界,大家好']],
    ['好', ['你好世界,大家好']],
    ['界世', []],
    ['ありがとう', ['どうもありがとうございます']],
    ['안녕', ['여러분 안녕하세요']],
  ])('finds words of languages without spaces by %s', (query, texts) => {
    const said = ['你好世界,大家好', 'どうもありがとうございます', '여러분 안녕하세요'];
    words.keep(segment({ cues: said.map((text, index) => cue(100_000 + index * 1000, text)) }));
    expect(textsOf(query)).toEqual(texts);
  });

  it.each([
    // A word within a sentence, across a line break, with other letters between two words, and in full-width letters.
    ['天气', 1],
    ['公园散步', 1],
    ['天气公园', 1],
    ['散步天气', 1],
    ['今天的公园', 1],
    ['张三丰', 1],
    ['ＯＢＳ推流', 1],
    ['obs 推流', 1],
    ['２０２６年', 1],
    // Words that are not there, and a name whose letters are, but not together.
    ['天气公司', 0],
    ['张三风', 0],
    ['流推', 0],
  ])('finds %s in Chinese sentences without spaces: %i', (query, count) => {
    const said = ['今天天气很好，我们一起去公园\n散步吧', '张三丰在2026年用OBS推流', '张先生说，三月丰收'];
    words.keep(segment({ cues: said.map((text, index) => cue(100_000 + index * 1000, text)) }));
    expect(textsOf(query)).toHaveLength(count);
  });

  it.each([
    '"',
    '"hello',
    'hello"* OR "',
    'text:hello',
    'NEAR(hello)',
    "'; DROP TABLE words; --",
    '\0hello',
    '*',
    '^hello',
    'x'.repeat(200),
    '(',
    'hello AND',
    '\ud800',
  ])('treats %j as data', (query) => {
    words.keep(segment({ cues: [cue(100_500, 'hello\0 "quoted" {x} \ud800')] }));
    expect(() => words.search(query, all)).not.toThrow();
    expect(textsOf('hello')).toHaveLength(1);
  });

  it('counts a cue of two segments once, and finds its last correction', () => {
    const first = segment({ cues: [cue(101_500, 'helo wrld')] });
    words.keep(first);
    words.keep(segment({ startMs: 102_000, cues: [cue(101_500, 'hello world')] }));
    words.keep(segment({ startMs: 102_000, cues: [cue(101_500, 'hello world')] }));
    expect([textsOf('hello'), textsOf('helo')]).toEqual([['hello world'], []]);
    // Another publisher has another clock, and OCR is separate from speech.
    words.keep({ ...first, epoch: 'c2' });
    words.keep({ ...first, kind: 'picture' });
    expect(words.search('helo', all).map(({ kind }) => kind)).toEqual(['picture', 'speech']);
  });

  it('gives each word its second in the recording, across discontinuities, also when the recording is known later', () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
    const log = (tsid: string, sequence: number): LoggedSegment => ({
      tsid,
      format: 'mpegts',
      init: '',
      sequence,
      durationMs: 2000,
      bytes: 1,
      isDiscontinuity: sequence === 2,
      atMs: dateMs + sequence,
    });
    words.recorded(ids[0], 'r1', 0);
    words.recorded(ids[1], 'r1', 2000);
    words.keep(segment({ segmentId: ids[0], cues: [cue(100_500, 'one')] }));
    words.keep(segment({ segmentId: ids[1], startMs: 102_000, cues: [cue(101_900, 'two')] }));
    words.keep(segment({ segmentId: ids[2], epoch: 'c2', startMs: 7, cues: [cue(1007, 'three')] }));
    words.keep(segment({ segmentId: ids[2], epoch: 'c2', kind: 'picture', startMs: 7, cues: [cue(7, 'goal')] }));
    expect(words.spokenIn('r1')).toEqual([
      { startMs: 500, endMs: 1400, text: 'one' },
      { startMs: 1900, endMs: 2800, text: 'two' },
    ]);
    words.arrange('r1', ids.map(log));
    expect(words.spokenIn('r1').map(({ startMs, text }) => [startMs, text])).toEqual([
      [500, 'one'],
      [1900, 'two'],
      [5000, 'three'],
    ]);
    expect(words.search('goal', all)).toMatchObject([{ recording: 'r1', second: 4, kind: 'picture' }]);
    // A segment was unreadable when the file was made.
    words.arrange('r1', [ids[0], ids[2]].map(log));
    expect(words.spokenIn('r1').map(({ startMs, text }) => [startMs, text])).toEqual([
      [500, 'one'],
      [3000, 'three'],
    ]);
    expect(words.search('two', all)).toMatchObject([{ recording: 'r1', second: null }]);
  });

  it('deletes words with their recording, also words that arrive later', () => {
    const [early, late] = [randomUUID(), randomUUID()];
    for (const id of [early, late]) words.recorded(id, 'r1', 0);
    words.keep(segment({ segmentId: early, cues: [cue(100_500, 'hello')] }));
    words.keep(segment({ cues: [cue(107_000, 'hello elsewhere')] }));
    words.forget('r1');
    words.keep(segment({ segmentId: late, cues: [cue(102_500, 'hello again')] }));
    expect([textsOf('hello'), words.hasSpoken('r1')]).toEqual([['hello elsewhere'], false]);
    words.recorded('s2', 'r2', 0);
    words.keep(segment({ segmentId: 's2', cues: [cue(109_000, 'hello two')] }));
    words.keepOnly(new Set(['r2']));
    expect(textsOf('hello')).toEqual(['hello two', 'hello elsewhere']);
    words.keepOnly(new Set());
    expect(textsOf('hello')).toEqual(['hello elsewhere']);
  });

  it('keeps words for some days, or as long as their recording, and within its size limit', () => {
    words.close();
    const limits = { keepDays: 30, bytes: 600_000 };
    words = new TranscriptIndex({ place: { file, isShared: false }, log, clock, limits });
    const days = (count: number) => clock.dateMs() - count * 86_400_000;
    words.recorded('s1', 'r1', 0);
    words.keep(segment({ segmentId: 's1', dateMs: days(400), cues: [cue(100_000, 'recorded hello')] }));
    words.keep(segment({ dateMs: days(31), cues: [cue(101_000, 'old hello')] }));
    words.keep(segment({ dateMs: days(29), cues: [cue(102_000, 'new hello')] }));
    words.tidy();
    expect(textsOf('hello')).toEqual(['new hello', 'recorded hello']);
    for (let batch = 0; batch < 20; batch++) {
      const texts = Array.from(
        { length: 500 },
        (_, index) => `number ${batch * 500 + index} of many words that were said`,
      );
      const startMs = 1e6 + batch * 500_000;
      words.keep(
        segment({
          startMs,
          dateMs: days(1) + startMs,
          cues: texts.map((text, index) => cue(startMs + index * 1000, text)),
        }),
      );
    }
    expect(words.bytes()).toBeGreaterThan(limits.bytes);
    words.tidy();
    expect(words.bytes()).toBeLessThanOrEqual(limits.bytes);
    expect(textsOf('recorded')).toEqual([]);
    expect(textsOf('9999')).toHaveLength(1);
  });

  it.each(['not a database at all, but long enough to be taken for one'.repeat(100), ''])(
    'starts again on a file that cannot be read',
    (bytes) => {
      writeFileSync(file, bytes);
      words.keep(segment({ cues: [cue(100_500, 'hello')] }));
      expect(textsOf('hello')).toHaveLength(1);
    },
  );

  it('persists for the next process, and blocks nothing where the file cannot be created', () => {
    words.keep(segment({ cues: [cue(100_500, 'hello')] }));
    const next = new TranscriptIndex({ place: { file, isShared: false }, log, clock });
    expect(next.search('hello', all)).toHaveLength(1);
    next.close();
    const nowhere = new TranscriptIndex({ place: { file: join(file, 'no', 'words.db'), isShared: false }, log, clock });
    nowhere.keep(segment({ cues: [cue(100_500, 'hello')] }));
    nowhere.forget('r1');
    expect([nowhere.hasSpoken('r1'), nowhere.spokenIn('r1')]).toEqual([false, []]);
  });
});
