import { describe, expect, it } from 'vitest';
import { faultsOfMaster } from './master-rules.fixture.ts';
import { PlaylistChecker } from './playlist-checker.fixture.ts';

const plain = `#EXTM3U
#EXT-X-VERSION:3
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-TARGETDURATION:10
#EXT-X-MEDIA-SEQUENCE:7
#EXT-X-DISCONTINUITY-SEQUENCE:1
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:15.000Z
#EXTINF:10.499,
show-7.ts
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:25.500Z
#EXTINF:10.000,
show-8.ts
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:35.500Z
#EXTINF:10.000,
show-9.ts
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:45.500Z
#EXTINF:10.000,
show-10.ts
`;

/** Three whole segments of two parts each, and one that grows. */
const low = `#EXTM3U
#EXT-X-VERSION:9
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=2.000,HOLD-BACK=6.000,CAN-SKIP-UNTIL=12.000
#EXT-X-PART-INF:PART-TARGET=1.000
#EXT-X-MEDIA-SEQUENCE:100
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-MAP:URI="init.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:00.000Z
#EXT-X-PART:DURATION=1.000,URI="s-100-0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=1.000,URI="s-100-1.m4s"
#EXTINF:2.000,
s-100.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:02.000Z
#EXT-X-PART:DURATION=1.000,URI="s-101-0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=1.000,URI="s-101-1.m4s"
#EXTINF:2.000,
s-101.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:04.000Z
#EXT-X-PART:DURATION=1.000,URI="s-102-0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=1.000,URI="s-102-1.m4s"
#EXTINF:2.000,
s-102.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:06.000Z
#EXT-X-PART:DURATION=1.000,URI="s-103-0.m4s",INDEPENDENT=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="s-103-1.m4s"
`;

const without = (text: string, line: string | RegExp) =>
  text
    .split('\n')
    .filter((each) => (typeof line === 'string' ? each !== line : !line.test(each)))
    .join('\n');

describe('PlaylistChecker, one playlist', () => {
  it('accepts valid playlists', () => {
    expect(new PlaylistChecker().check(plain)).toEqual([]);
    expect(new PlaylistChecker().check(low)).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ['no beginning', plain.slice(8), /begin with #EXTM3U/],
    ['no end', plain.slice(0, -1), /line feed/],
    ['an empty line', plain.replace('\nshow-8', '\n\nshow-8'), /empty line/],
    ['a tag of the other kind', plain.replace('#EXTINF', '#EXT-X-STREAM-INF:X=1\n#EXTINF'), /no tag of a media/],
    ['no version', without(plain, '#EXT-X-VERSION:3'), /version NaN/],
    ['an old version', low.replace('VERSION:9', 'VERSION:3'), /version 3/],
    ['a target that comes late', `${plain}#EXT-X-TARGETDURATION:10\n`, /stands twice|after the first segment/],
    ['no target', without(plain, /TARGETDURATION/), /no target duration/],
    ['a segment longer than the target', plain.replace('10.499', '10.500'), /7 lasts 10.5 s of 10/],
    ['a duration without decimals', plain.replace('10.499', '10'), /duration is written as 10,/],
    ['no duration', plain.replace('#EXTINF:10.499,\n', ''), /has no duration/],
    ['no date', without(plain, /03:05:35/), /9 has no date/],
    ['a date of another form', plain.replace('15.000Z', '15Z'), /date is written/],
    ['a date that jumps', plain.replace('03:05:35.500', '03:05:36.500'), /9 is dated 11000 ms after 10 s/],
    ['no media sequence', without(plain, /MEDIA-SEQUENCE/), /MEDIA-SEQUENCE is missing/],
    ['an address twice', plain.replace('show-9', 'show-8'), /address stands twice/],
    ['no map', without(low, /MAP/), /100 has no map/],
    [
      'a map without a seam',
      without(low, /PART-INF/).replace('s-100.m4s\n', 's-100.m4s\n#EXT-X-MAP:URI="b.mp4"\n'),
      /another map/,
    ],
    ['a long part', low.replace('1.000,URI="s-101-1', '1.001,URI="s-101-1'), /101.1 lasts 1.001/],
    ['a short part', low.replace('1.000,URI="s-101-0', '0.849,URI="s-101-0'), /101.0 lasts only 0.849/],
    ['parts of another length', low.replace('#EXTINF:2.000,\ns-101', '#EXTINF:1.900,\ns-101'), /its parts 2.000/],
    ['parts that are missing', without(low, /PART:.*s-101/), /101 is near the end and has no parts/],
    ['a start that is not independent', low.replace('102-0.m4s",INDEPENDENT=YES', '102-0.m4s"'), /102 does not begin/],
    ['parts without a target', without(low, /PART-INF/), /parts without a part target/],
    ['a short hold-back', low.replace('HOLD-BACK=6', 'HOLD-BACK=5'), /HOLD-BACK is less than 6/],
    ['a short hold-back of parts', low.replace('=2.000,HOLD', '=1.999,HOLD'), /PART-HOLD-BACK is less than 2/],
    ['a short skip boundary', low.replace('UNTIL=12', 'UNTIL=11'), /CAN-SKIP-UNTIL is less than 12/],
    ['no blocking reloads', low.replace('CAN-BLOCK-RELOAD=YES,', ''), /without blocking reloads/],
    ['no hint', without(low, /HINT/), /no hint/],
    ['a hint at what is there', low.replace('HINT:TYPE=PART,URI="s-103-1', 'HINT:TYPE=PART,URI="s-103-0'), /and there/],
    ['something after the hint', `${low}#EXTINF:1.000,\nx.m4s\n`, /after the end/],
    ['attributes that are none', low.replace('PART:DURATION=', 'PART:DURATION'), /no attributes/],
    [
      'an attribute twice',
      low.replace('CAN-BLOCK-RELOAD=YES', 'HOLD-BACK=6.0,CAN-BLOCK-RELOAD=YES'),
      /stands twice in/,
    ],
    [
      'a skip to begin with',
      low.replace('#EXT-X-MAP', '#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXT-X-MAP'),
      /first playlist skips/,
    ],
    ['a report that says nothing', `${low}#EXT-X-RENDITION-REPORT:URI="x"\n`, /report that says nothing/],
  ])('finds %s', (_name, text, fault) => {
    expect(new PlaylistChecker().check(text).join('\n')).toMatch(fault);
  });
});

/** The last two seconds of `low` whole, and a new one begun. */
const lowLater = low.replace(
  '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="s-103-1.m4s"\n',
  `#EXT-X-PART:DURATION=1.000,URI="s-103-1.m4s"
#EXTINF:2.000,
s-103.m4s
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="s-104-0.m4s"
`,
);
const plainLater = `${plain
  .replace('SEQUENCE:7', 'SEQUENCE:8')
  .replace('DISCONTINUITY-SEQUENCE:1', 'DISCONTINUITY-SEQUENCE:2')
  .replace(/#EXT-X-DISCONTINUITY\n(?:.*\n){3}/, '')}#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:55.600Z
#EXTINF:10.000,
show-11.ts
`;

describe('PlaylistChecker, one playlist after the other', () => {
  it('accepts valid playlists', () => {
    const checker = new PlaylistChecker();
    expect([plain, plain, plainLater].flatMap((text) => checker.check(text))).toEqual([]);
    const lowChecker = new PlaylistChecker();
    expect([low, lowLater].flatMap((text) => lowChecker.check(text))).toEqual([]);
  });

  it.each<[string, string, string, RegExp]>([
    ['another target', plain, plainLater.replace('TION:10', 'TION:11'), /TARGETDURATION was 10 and is 11/],
    ['a sequence that goes back', plainLater, plain, /media sequence went back/],
    ['numbers that were never named', plain, plainLater.replace('SEQUENCE:8', 'SEQUENCE:12'), /never named/],
    ['a duration that changes', plain, plainLater.replace('10.000,\nshow-9', '10.001,\nshow-9'), /9 changed its dur/],
    ['an address that changes', plain, plainLater.replace('show-9', 'other'), /9 changed its address/],
    ['a date that changes', plain, plainLater.replace('35.500Z', '35.501Z'), /9 changed its date/],
    ['a discontinuity that is not counted', plain, plainLater.replace('SEQUENCE:2', 'SEQUENCE:1'), /should be 2/],
    [
      'too little left',
      plain,
      plainLater.replace(/#EXT-X-PROGRAM[^\n]*\n#EXTINF[^\n]*\nshow-1[01].ts\n/g, ''),
      /less than three/,
    ],
    ['a hint that does not come true', low, lowLater.replaceAll('103-1.m4s', '103-2.m4s'), /was hinted at and/],
    ['a part that changes', lowLater, lowLater.replace('102-1.m4s', '102-x.m4s'), /102 changed its parts/],
    ['a hold-back that shrinks', low.replace('=2.000,HOLD', '=2.500,HOLD'), lowLater, /PART-HOLD-BACK shrank/],
    ['a part target that shrinks', low.replace('TARGET=1.000', 'TARGET=1.100'), lowLater, /part target shrank/],
    [
      'a newest segment that is gone',
      lowLater,
      low.replace(/#EXT-X-PROGRAM-DATE-TIME:\S+06.000Z\n.*\n/, ''),
      /newest segment is gone/,
    ],
    [
      'a skip within the boundary',
      low,
      lowLater.replace(/#EXT-X-MAP(?:.*\n){6}/, '#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n'),
      /within the skip boundary/,
    ],
  ])('finds %s', (_name, first, second, fault) => {
    const checker = new PlaylistChecker();
    checker.check(first);
    expect(checker.check(second).join('\n')).toMatch(fault);
  });
});

describe('faultsOfMaster', () => {
  const good = `#EXTM3U
#EXT-X-VERSION:3
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI="en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000,AVERAGE-BANDWIDTH=1500,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=25.000,SUBTITLES="s"
show.m3u8?x=1
`;

  it('accepts a valid playlist', () => {
    expect(faultsOfMaster(good)).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ['no bandwidth', good.replace('BANDWIDTH=2000,', ''), /without a bandwidth/],
    ['an average above the peak', good.replace('=1500', '=2500'), /above the peak/],
    ['a group that is not there', good.replace('SUBTITLES="s"', 'SUBTITLES="t"'), /no group t/],
    ['a variant without an address', good.replace('show.m3u8?x=1\n', ''), /without an address/],
    ['an address of no variant', `${good}other.m3u8\n`, /of no variant/],
    [
      'a tag of the other kind',
      good.replace('#EXT-X-MEDIA:', '#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-MEDIA:'),
      /no tag of a master/,
    ],
    ['two of one name', good.replace(/(#EXT-X-MEDIA:.*\n)/, '$1$1'), /two renditions|two defaults/],
    ['a default that is not selected', good.replace('AUTOSELECT=YES', 'AUTOSELECT=NO'), /not to be selected/],
    ['subtitles without an address', good.replace(',URI="en.m3u8"', ''), /have no address/],
    ['a frame rate without decimals', good.replace('25.000', '25'), /FRAME-RATE is written as 25/],
    ['no variant', '#EXTM3U\n', /no variant/],
  ])('finds %s', (_name, text, fault) => {
    expect(faultsOfMaster(text).join('\n')).toMatch(fault);
  });
});
