import { expect, it } from 'vitest';
import { thumbnailArgs as frameArgs } from '../../../media-server/thumbnails.ts';
import { pictureArgs } from '../../ocr/picture/frame-grabber.ts';
import { burnArgs } from '../../transcript/output/overlay-maker.ts';
import { conversionArgs, probeArgs, remuxArgs, thumbnailArgs } from './remux-args.ts';

const remux = { input: 'in', subtitles: 'words.srt', language: 'en', output: 'out', isHevc: false };
const video = { codec: 'h264', width: 640, height: 360 };
const tracks = { video, audio: undefined } as Parameters<typeof conversionArgs>[0]['tracks'];
const common = { size: { width: 640, height: 360 }, hasAudio: false } as Parameters<typeof conversionArgs>[0]['common'];

it.each([
  ['the remux of a recording', remuxArgs({ ...remux, isList: false }), 'in'],
  ['the remux of several runs', remuxArgs({ ...remux, isList: true }), 'in'],
  ['the conversion of a run', conversionArgs({ input: 'in', output: 'out', durationMs: 1, tracks, common }), 'in'],
  ['the thumbnail of a recording', thumbnailArgs('in', 'out'), 'in'],
  ['the probe of a recording', probeArgs('in', 'mpegts'), 'in'],
  ['the picture of a live stream', frameArgs(), 'pipe:0'],
  ['a picture for OCR', pictureArgs({ from: 'in', image: 'a', thumbnail: 'b' }), 'file:in'],
  ['text burnt into a segment', burnArgs({ from: 'in', subtitles: 's', to: 'out', style: '', codec: [] }), 'file:in'],
])('%s has a limit of picture size before its input', (_what, args, input) => {
  const limit = args.indexOf('-max_pixels');
  expect(limit).toBeGreaterThan(-1);
  expect(limit).toBeLessThan(args.indexOf(input));
  expect(Number(args[limit + 1])).toBe(8192 * 4352);
});
