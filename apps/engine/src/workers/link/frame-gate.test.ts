import type { MediaFrame } from '@weir/media';
import { expect, it } from 'vitest';
import { FrameGate } from './frame-gate.ts';

const frame = (kind: 'video' | 'audio', isKeyframe: boolean): MediaFrame => ({
  kind,
  codec: kind === 'video' ? 'h264' : 'aac',
  dtsMs: 0,
  ptsMs: 0,
  isKeyframe,
  payload: Buffer.alloc(1),
});
const key = frame('video', true);
const delta = frame('video', false);
const sound = frame('audio', true);
const full = 25 * 1024 * 1024;

it('drops frames until the queue is nearly empty, and then resumes video at a keyframe', () => {
  const gate = new FrameGate();
  expect([key, delta, sound].map((one) => gate.passes(one, 0))).toEqual([true, true, true]);
  expect([delta, sound, key].map((one) => gate.passes(one, full))).toEqual([false, false, false]);
  expect([key, sound].map((one) => gate.passes(one, full / 2))).toEqual([false, false]);
  expect([sound, delta, sound, key, delta].map((one) => gate.passes(one, 0))).toEqual([true, false, true, true, true]);
});
