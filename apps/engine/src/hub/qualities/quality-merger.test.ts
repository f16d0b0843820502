import type { MediaFrame } from '@weir/media';
import { expect, it } from 'vitest';
import { picture, sound, videoConfig } from '../frames.fixture.ts';
import { QualityMerger } from './quality-merger.ts';

function open() {
  const passed: string[] = [];
  const merger = new QualityMerger({
    frame: ({ kind, dtsMs }: MediaFrame) => passed.push(`${kind[0]}${dtsMs}`),
    config: (config) => passed.push(config.kind === 'video' ? `c${config.width}` : 'c'),
  });
  const drain = () => passed.splice(0).join(' ');
  const mark = (ms: number, name: string) => merger.mark(ms, () => passed.push(name));
  return { merger, drain, mark };
}

it('passes audio and cuts where the stream has them, between the pictures of the quality', () => {
  const { merger, drain, mark } = open();
  merger.lead(picture(0, true));
  merger.own(picture(0, true));
  merger.lead(sound(10));
  merger.lead(picture(40));
  expect(drain()).toBe('v0');
  merger.own(picture(40));
  expect(drain()).toBe('a10 v40');
  mark(80, 'cut');
  merger.lead(picture(80, true));
  merger.lead(sound(90));
  merger.own(picture(80, true));
  expect(drain()).toBe('cut v80');
  merger.own(picture(120));
  expect(drain()).toBe('a90');
  merger.lead(picture(120));
  expect(drain()).toBe('v120');
});

it('lets nothing pass before the stream has come to its time', () => {
  const { merger, drain } = open();
  for (const ms of [0, 40, 80]) merger.own(picture(ms, ms === 0));
  expect(drain()).toBe('');
  merger.lead(picture(0, true));
  expect(drain()).toBe('v0');
  merger.lead(picture(80));
  expect(drain()).toBe('v40 v80');
});

it('continues without a paused quality, and adds it at its next keyframe', () => {
  const { merger, drain, mark } = open();
  merger.own(picture(0, true));
  merger.lead(picture(0, true));
  merger.lead(sound(20));
  mark(1000, 'cut');
  merger.lead(picture(1000, true));
  expect(drain()).toBe('v0');
  merger.lead(sound(1600));
  expect(drain()).toBe('a20 cut a1600');
  merger.own(picture(1200));
  merger.own(picture(1700));
  merger.lead(picture(1700));
  expect(drain()).toBe('');
  merger.own(picture(1800, true));
  merger.lead(picture(1800));
  expect(drain()).toBe('v1800');
});

it('waits for no quality that has not begun', () => {
  const { merger, drain, mark } = open();
  mark(0, 'cut');
  merger.lead(picture(0, true));
  merger.lead(sound(20));
  expect(drain()).toBe('cut a20');
});

it('keeps the config before the keyframe that needs it, and passes everything at a discontinuity', () => {
  const { merger, drain, mark } = open();
  merger.lead(picture(0, true));
  merger.own(picture(0, true));
  merger.config({ ...videoConfig, width: 320 });
  merger.own(picture(40, true));
  expect(drain()).toBe('v0 c320');
  merger.lead(sound(30));
  mark(60, 'end');
  merger.flush();
  expect(drain()).toBe('a30 v40 end');
  merger.lead(picture(5000, true));
  merger.own(picture(4000));
  expect(drain()).toBe('');
});

it('S40: holds no more than its limit of a quality that is ahead of its stream', () => {
  const { merger, drain } = open();
  for (let ms = 0; ms < 400; ms += 10) merger.own(picture(ms, ms === 0, 1024 * 1024));
  merger.lead(picture(400));
  expect(drain()).toBe('');
  merger.own(picture(410, true));
  merger.lead(picture(410));
  expect(drain()).toBe('v410');
});
