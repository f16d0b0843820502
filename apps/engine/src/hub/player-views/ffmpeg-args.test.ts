import { describe, expect, it } from 'vitest';
import { videoConfig } from '../frames.fixture.ts';
import { bitrateFor, plainH264Args } from './ffmpeg-args.ts';

const optionOf = (args: readonly string[], name: string) => args[args.indexOf(name) + 1];

describe('ffmpeg arguments of player views', () => {
  it.each([
    [{ width: 1280, height: 720, fps: 25 }, 2000, 2300],
    [{ width: 1280, height: 720, fps: 25 }, 0, 1843],
    [{ width: 1280, height: 720, fps: 0 }, 0, 2212],
    [{ width: 160, height: 90, fps: 10 }, 0, 400],
    [{ width: 160, height: 90, fps: 10 }, 60, 400],
    [{ width: 3840, height: 2160, fps: 60 }, 40_000, 8000],
    [{ width: 0, height: 0, fps: 0 }, 0, 400],
  ])('give video of %j that arrives with %d kbit/s a bitrate of %d', (size, sourceKbps, wanted) => {
    expect(bitrateFor({ ...videoConfig, ...size }, sourceKbps)).toBe(wanted);
  });

  it.each([
    [25, '50'],
    [59.94, '120'],
    [0, '60'],
    [1000, '60'],
    [0.1, '1'],
  ])('start a group of pictures every two seconds at %d fps', (fps, group) => {
    expect(optionOf(plainH264Args({ fps }, 1000), '-g')).toBe(group);
  });
});
