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

/** Texts that the specification quotes, and names that browsers and authorities gave. */
const quoted = new Set([
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
const endsInName = /(Mp4|mp4|m3u8|libx264|achannels\.[012])$/;

const found = (texts: Map<string, string>, wrong: RegExp) =>
  [...texts]
    .filter(([key, text]) => !quoted.has(key) && wrong.test(text.replaceAll(/\w+:\/\/\S+/g, '')))
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
