import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaFrame } from '@weir/media';
import { createLog, type Log } from '@weir/plane';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { type Clip, childrenNamed, PlayerViewHarness, record } from './player-views.fixture.ts';

type Clips = Record<'plainOpus' | 'plainAac' | 'bFramesAac' | 'mp3' | 'opusMono', Clip>;

/** Recordings, stages that are closed after each test, and stand-ins for ffmpeg. For the top of a test file. */
export function useHarnesses() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-views-'));
  const clips = {} as Clips;
  let harnesses: PlayerViewHarness[] = [];
  beforeAll(() => {
    Object.assign(clips, {
      plainOpus: record(2, 'plain', 'opus'),
      plainAac: record(2, 'plain', 'aac'),
      bFramesAac: record(3, 'bFrames', 'aac'),
      mp3: record(1, 'mp3'),
      opusMono: record(1, 'opusMono'),
    } satisfies Clips);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    await Promise.all(harnesses.map((harness) => harness.close()));
    harnesses = [];
    expect(childrenNamed('ffmpeg')).toEqual([]);
  });
  return {
    clips,
    folder,
    openHarness(options: ConstructorParameters<typeof PlayerViewHarness>[0] = {}): PlayerViewHarness {
      const harness = new PlayerViewHarness(options);
      harnesses.push(harness);
      return harness;
    },
    /** A program that stands in for ffmpeg. */
    program(name: string, text: string): string {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\n${text}\n`);
      chmodSync(file, 0o755);
      return file;
    },
  };
}

/** A log that is read here and nowhere else. */
export function quiet(lines: string[] = []): Log {
  const log = createLog('test', 'error');
  vi.spyOn(log, 'error').mockImplementation((...said: unknown[]) => void lines.push(said.join(' ')));
  return log;
}

/** Order is what counts in some tests, on a machine however busy. */
export const patient = { limits: { holdMs: 20_000, holdAtStartMs: 20_000 } };

export const steps = (frames: readonly MediaFrame[]) =>
  frames.slice(1).map(({ dtsMs }, index) => dtsMs - (frames[index]?.dtsMs ?? 0));
export const shifted = (frames: readonly MediaFrame[], byMs: number) =>
  frames.map((frame) => ({ ...frame, dtsMs: frame.dtsMs + byMs, ptsMs: frame.ptsMs + byMs }));
