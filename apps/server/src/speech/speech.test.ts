import { describe, expect, it } from 'vitest';
import { writeWav } from '../ai/wav.ts';
import { breakLongLines, countColumns, splitCue, splitWords, wrapLines } from './cue-lines.ts';
import { cleanText, isDoubtful } from './doubtful-text.ts';

it('wavOf says what it holds', () => {
  const wav = Buffer.from(writeWav(Buffer.alloc(320)));
  expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  expect([wav.readUInt32LE(4), wav.readUInt32LE(24), wav.readUInt32LE(40), wav.length]).toEqual([
    356, 16_000, 320, 364,
  ]);
});

describe('cuesOf', () => {
  const lines = (text: string) => splitCue({ startMs: 0, endMs: 4000, text }).map((cue) => cue.text.split('\n'));

  it('keeps a short text in one line, and breaks a longer one into two of about the same length', () => {
    expect(lines('Good evening.')).toEqual([['Good evening.']]);
    const [page = []] = lines('The quick brown fox jumps over the lazy dog and runs away.');
    expect(page).toHaveLength(2);
    expect(page.every((line) => line.length <= 42)).toBe(true);
    expect(Math.abs((page[0]?.length ?? 0) - (page[1]?.length ?? 0))).toBeLessThan(15);
  });

  it('shows no more than two lines at a time, and divides the time by length', () => {
    const text =
      'Nobody can read as fast as some people speak, which is why a text this long is shown in several pieces, one after the other.';
    const cues = splitCue({ startMs: 1000, endMs: 9000, text });
    expect(cues.length).toBeGreaterThan(1);
    expect(cues[0]?.startMs).toBe(1000);
    expect(cues.at(-1)?.endMs).toBe(9000);
    for (const [at, cue] of cues.slice(1).entries()) expect(cue.startMs).toBe(cues[at]?.endMs);
    expect(
      cues
        .map((cue) => cue.text)
        .join(' ')
        .replaceAll('\n', ' '),
    ).toBe(text);
    for (const cue of cues) expect(cue.text.split('\n').length).toBeLessThanOrEqual(2);
  });

  it('counts wide letters twice, and loses none', () => {
    const text = '今天天气很好，我们一起去公园散步吧，然后在湖边的小餐馆里吃一顿丰盛的午餐。';
    const pages = lines(text);
    expect(pages.flat().join('')).toBe(text);
    for (const line of pages.flat()) expect(line.length).toBeLessThanOrEqual(21);
  });

  it.each([
    [
      '今天的直播主要介绍三个新功能：实时字幕、自动翻译，以及多人语音房间。',
      ['今天的直播主要介绍三个新功能：', '实时字幕、自动翻译，以及多人语音房间。'],
    ],
    [
      '他回答说：“这个问题我们下个星期再讨论吧。”然后就离开了会议室。',
      ['他回答说：“这个问题我们下个星期再讨论吧。”', '然后就离开了会议室。'],
    ],
    [
      '我们用 OBS Studio 推流，码率是 6000 kbps，分辨率为 1080p。',
      ['我们用 OBS Studio 推流，', '码率是 6000 kbps，分辨率为 1080p。'],
    ],
  ])('breaks Chinese behind punctuation: %s', (text, expected) => expect(wrapLines(text)).toEqual(expected));

  it('begins no line with closing punctuation, ends none with an opening bracket, and has at most 20 full-width letters', () => {
    const said =
      '「人工智能」（简称AI）……真的能听懂《红楼梦》吗？！我想——恐怕未必。“可以，”他说：“只要３.５秒，准确率就有９８％；不过，ラーメンがちょっと食べたくなっちゃった、とも言えるでしょう。”';
    for (let from = 0; from < said.length; from++) {
      for (const length of [30, 55, said.length]) {
        const text = said.slice(from, from + length);
        const lines = wrapLines(text);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const [at, line] of lines.entries()) {
          if (at > 0) expect(line).not.toMatch(/^[、。，．：；！？）」』》”…—％ーょっゃ]/u);
          if (at < lines.length - 1) expect(line).not.toMatch(/[（「『《“]$/u);
          expect(countColumns(line.replace(/[、。，：；！？）」』》”…—]{1,2}$/u, ''))).toBeLessThanOrEqual(40);
        }
      }
    }
  });

  it('keeps Chinese words together where a line has no punctuation', () => {
    const text = '我们正在研究如何把人工智能技术应用到网络直播平台的实时字幕系统里面';
    const words = new Set(['研究', '人工', '智能', '技术', '应用', '网络', '直播', '平台', '实时', '字幕', '系统']);
    const lines = wrapLines(text);
    expect(lines).toHaveLength(2);
    for (const word of words) expect(lines.some((line) => line.includes(word))).toBe(true);
  });

  it('breaks Korean at its spaces, and joins no two words', () => {
    const text = '오늘은 날씨가 아주 좋아서 우리는 공원에 산책하러 갔다가 호숫가 식당에서 점심을 먹었습니다.';
    expect(wrapLines(text).join(' ')).toBe(text);
    expect(splitWords('안녕하세요 여러분')).toEqual(['안녕하세요 ', '여러분']);
  });

  it('leaves no sign out and cuts what is longer than a line', () => {
    for (const text of [
      '！'.repeat(100),
      '（'.repeat(100),
      'ー'.repeat(99),
      '가'.repeat(90),
      '好'.repeat(300),
      '说“',
      '“',
    ])
      expect(wrapLines(text).join('')).toBe(text);
    expect(wrapLines('好'.repeat(300)).every((line) => line.length <= 20)).toBe(true);
    expect([wrapLines(''), wrapLines(' \n')]).toEqual([[], []]);
  });

  it('breaks long lines of an edited text, and leaves those that renderers break', () => {
    const english = 'A line of English is left as it was written, because every renderer breaks it at its spaces.';
    expect(breakLongLines(`${english}\n短的一行`)).toBe(`${english}\n短的一行`);
    const chinese = '编辑过的字幕如果太长，播放器也不会自动换行，所以保存的时候就要分成两行。';
    const lines = breakLongLines(chinese).split('\n');
    expect([lines.length, lines.join('')]).toEqual([2, chinese]);
  });

  it('breaks text without spaces', () => {
    expect(
      lines('x'.repeat(100))
        .flat()
        .every((line) => line.length <= 48),
    ).toBe(true);
  });
});

describe('isDoubtful', () => {
  it.each([
    ['[Music]', 2],
    ['(silence)', 2],
    ['♪ ♪', 2],
    ['...', 1],
    ['', 1],
    ['one two three four five six seven eight nine ten eleven twelve', 1],
    ['you you you you you you you you you you', 5],
    ['谢谢谢谢谢谢谢谢谢谢谢谢', 4],
  ])('is true for %j in %d s', (text, seconds) => expect(isDoubtful(text, seconds)).toBe(true));

  it.each([
    ['Yes.', 0.4],
    ['The quick brown fox jumps over the lazy dog.', 2.6],
    ['今天天气很好，我们一起去公园散步吧。', 3],
    ['No, no, no.', 1],
  ])('is false for %j in %d s', (text, seconds) => expect(isDoubtful(text, seconds)).toBe(false));
});

it('cleanText removes control characters', () => {
  expect(cleanText(' a\u0000b\r\n\u202ec\u2066 d\ufeff ')).toBe('a b c d');
  expect(cleanText('x'.repeat(5000))).toHaveLength(1000);
});
