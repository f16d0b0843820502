import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';
import { bare, textsOf } from './texts.fixture.ts';

const [english, chinese] = [textsOf('en'), textsOf('zh')];

/** Phrases of the sweep, each with the word that people expect instead. */
const phrases: readonly [RegExp, string][] = [
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\bwhole address/i, 'full URL'],
  [/\bgo(es)? on\b/i, 'continue'],
  [/\bfigures?\b/i, 'statistics, or digits'],
  [/\bpictures?\b/i, 'video'],
  [/\bsounds?\b/i, 'audio'],
  [/\bby (SRT|WebRTC|RTMP|RTSP|UDP)\b/, 'over SRT, via WebRTC'],
  [/\bbit rate/i, 'bitrate'],
  [/\bslices?\b/i, 'segment'],
  [/\blog ?in\b/i, 'sign in'],
  [/\bcertificate (ends|ended)\b/i, 'expires'],
  [/\busual one\b/i, 'default'],
  [/\b(vouch\w*|said no)\b/i, 'a plain sentence'],
];

/** Words that mean the same as ours and must not come back, for texts of the interface only. */
const synonyms: readonly [RegExp, string][] = [
  [/\bkbps\b/i, 'kbit/s'],
  [/\brestream/i, 'forward'],
  [/(?<!\{)\bglobs?\b/i, 'pattern'],
  [/\blog ?out\b/i, 'sign out'],
  [/\b(pushes|push targets?|relays?)\b/i, 'forward, destination'],
  [/\berase|\bwipe/i, 'delete'],
];
const chineseSynonyms: readonly [RegExp, string][] = [
  [/kbps/i, 'kbit/s'],
  [/登出|注销/, '退出'],
  [/比特率/, '码率'],
  [/转播|目的地/, '转推，目标'],
  [/通配符|过滤器/, '规则'],
  [/去除|删去/, '删除，移除'],
];

/** Texts that the specification quotes, and names that browsers and authorities gave. */
const quoted = new Set([
  'nav.logout',
  'record.testFailed',
  'record.testOk',
  'transcode.problem.range',
  'cloud.vod.ruleOk',
  'errs.expiredLink',
  'errs.endedAlert',
  'player.pictureInPicture',
  'settings.footerHolder',
]);

/** Keys that the specification names, and values and formats that end in a digit of their own. */
const fixedKeys = new Set([
  'nav.logout2',
  'plat.tool.stream2',
  'ocr.link2',
  'plat.tool.stream3',
  'plat.tool.stream4',
  'settings.sslInvalidHost2',
  'transcript.clear2',
  'transcript.fstyle2',
  'transcript.lang2',
  'transcript.trans0',
  'transcript.trans1',
  'transcript.vtt2',
]);
const endsInName = /(Mp4|mp4|m3u8|libx26[45]|achannels\.[012])$/;

const found = (texts: Map<string, string>, wrong: RegExp) =>
  [...texts]
    .filter(([key, text]) => !quoted.has(key) && wrong.test(text.replaceAll(/\w+:\/\/\S+|\{\{\w+\}\}/g, '')))
    .map(([key, text]) => `${key}: ${text}`);

/** Every page but the API reference, which is generated from the contract. */
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesBelow('docs', ['.md']).filter((path) => !path.includes('/protocols/')),
];
/** The lines of a page without code, and without what links lead to. */
const prose = new Map(
  pages.flatMap((page) =>
    read(page)
      .replaceAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|\bgroup of pictures\b/g, '')
      .split('\n')
      .map((line, n) => [`${page} ${n}`, line] as const),
  ),
);

describe('the interface texts', () => {
  it.each(phrases)('do not say %s but %s', (phrase) => {
    expect(found(english, phrase)).toEqual([]);
    expect(found(prose, phrase)).toEqual([]);
  });

  it.each(synonyms)('use one word for one thing: not %s but %s', (word) => {
    expect(found(english, word)).toEqual([]);
  });

  it.each(chineseSynonyms)('use one word for one thing in Chinese: not %s but %s', (word) => {
    expect(found(chinese, word)).toEqual([]);
  });

  it('say in both languages alike whether something is deleted or only removed', () => {
    const elsewhere = ['certs.orderRemedy.caa', 'certs.orderRemedy.connection', 'process.log.help'];
    const pairs = [...english].filter(([key]) => !elsewhere.includes(key));
    const differs = (here: RegExp, there: RegExp) =>
      pairs.filter(([key, text]) => here.test(text) && !there.test(chinese.get(key) ?? '')).map(([key]) => key);
    expect(differs(/\bremov(e|ed|es)\b/i, /移除/)).toEqual([]);
    expect(differs(/\bdelet(e|ed|es)\b/i, /删/)).toEqual([]);
  });

  it('address readers in Chinese as 您', () => {
    expect(found(chinese, /你/)).toEqual([]);
  });

  it('have full-width punctuation in Chinese', () => {
    expect(found(chinese, /\p{Script=Han}[,;:!?()]|[,;:!?()]\p{Script=Han}|\p{Script=Han}\.(\s|$)/u)).toEqual([]);
  });

  it('have a space around Latin names in Chinese', () => {
    expect(found(chinese, /\p{Script=Han}[A-Za-z]|[A-Za-z]\p{Script=Han}/u)).toEqual([]);
  });

  it('have keys that name their purpose, not a number', () => {
    const numbered = [...english.keys()].map(bare).filter((key) => /\d$/.test(key));
    expect(numbered.filter((key) => !fixedKeys.has(key) && !endsInName.test(key))).toEqual([]);
  });
});
