import { describe, expect, it } from 'vitest';
import { ProgressMeter } from '../supervisor/progress-meter.ts';
import { ProgressParser, progressLine } from './ffmpeg-progress.ts';

/** Two reports of ffmpeg 5.1, publishing by RTMP. */
const said = `frame=0
fps=0.00
stream_0_0_q=0.0
bitrate=N/A
total_size=N/A
out_time_us=-9223372036854775807
out_time_ms=-9223372036854775807
out_time=-9223372036854775807
dup_frames=0
drop_frames=0
speed=N/A
progress=continue
frame=130
fps=25.42
stream_0_0_q=29.0
bitrate=1048.6kbits/s
total_size=681620
out_time_us=5200000
out_time_ms=5200000
out_time=00:00:05.200000
dup_frames=0
drop_frames=3
speed=1.02x
progress=continue
`;

describe('progress of ffmpeg', () => {
  it('is parsed the same wherever it is split', () => {
    const whole = new ProgressParser().push(said);
    expect(whole).toHaveLength(2);
    expect(whole[0]).toMatchObject({ mediaMs: undefined, kbps: undefined, speed: undefined });
    expect(whole[1]).toEqual({
      frames: 130,
      q: '29.0',
      bytes: 681_620,
      mediaMs: 5200,
      fps: 25.42,
      kbps: 1048.6,
      speed: 1.02,
      droppedFrames: 3,
    });
    for (let cut = 1; cut < said.length; cut += 7) {
      const parser = new ProgressParser();
      expect([...parser.push(said.slice(0, cut)), ...parser.push(said.slice(cut))]).toEqual(whole);
    }
  });

  it('uses bounded memory whatever is written in its place', () => {
    const parser = new ProgressParser();
    expect(parser.push('x'.repeat(1_000_000))).toEqual([]);
    expect(parser.push(`\n${'a=b\n'.repeat(1000)}`)).toEqual([]);
    for (let n = 0; n < 1000; n++) parser.push(`name${n}=1\n`);
    expect(parser.push('out_time_us=1000\nprogress=end\n')).toHaveLength(1);
  });

  it('is one line in the format of older clients', () => {
    const [empty, full] = new ProgressParser().push(said);
    expect(full && progressLine(full)).toBe(
      'frame=130 fps=25.42 q=29.0 size=666kB time=00:00:05.20 bitrate=1048.6kbits/s speed=1.02x',
    );
    expect(empty && progressLine(empty)).toContain('time=N/A');
  });
});

describe('ProgressMeter', () => {
  const report = (mediaMs: number) => ({
    frames: mediaMs / 40,
    q: undefined,
    bytes: mediaMs * 125,
    mediaMs,
    fps: 1,
    kbps: 1,
    speed: 1,
    droppedFrames: 0,
  });
  const limits = { slowest: 0.5, fastest: 1.5, abnormalMs: 30_000 };

  it('reports the current speed, after an hour that was different', () => {
    const meter = new ProgressMeter(limits);
    for (let s = 0; s < 60; s++) meter.add(report(s * 1000), s * 1000, new Date());
    expect(meter.progress).toMatchObject({ fps: 25, kbps: 1000, speed: 1 });
    for (let s = 60; s < 95; s++) meter.add(report(59_000 + (s - 59) * 800), s * 1000, new Date());
    expect(meter.progress).toMatchObject({ fps: 20, kbps: 800, speed: 0.8 });
    expect(meter.abnormal(95_000)).toBeUndefined();
  });

  it('has no rate before the burst of the start is over', () => {
    const meter = new ProgressMeter(limits);
    // Two seconds of media at once, then at the pace of the clock.
    const rates = Array.from({ length: 12 }, (_, s) => {
      meter.add(report(s === 0 ? 40 : 2000 + s * 1000), s * 1000, new Date());
      return meter.progress?.kbps;
    });
    expect(rates.slice(0, 5).every((rate) => rate === undefined)).toBe(true);
    expect(rates.slice(5)).toEqual([1000, 1000, 1000, 1000, 1000, 1000, 1000]);
  });

  it('ignores a report without a time, or with the same time', () => {
    const meter = new ProgressMeter(limits);
    expect(meter.add({ ...report(0), mediaMs: undefined }, 0, new Date())).toBe(false);
    expect(meter.add(report(0), 500, new Date())).toBe(false);
    expect(meter.add(report(500), 1000, new Date())).toBe(true);
    expect(meter.add(report(500), 1500, new Date())).toBe(false);
    expect(meter.movedAtMs).toBe(1000);
  });

  it.each([
    ['too-fast', 2],
    ['too-slow', 0.3],
  ])('reports %s only after half a minute', (verdict, pace) => {
    const meter = new ProgressMeter(limits);
    let s = 0;
    for (; s < 25; s++) meter.add(report(s * 1000 * pace), s * 1000, new Date());
    expect(meter.abnormal(s * 1000)).toBeUndefined();
    for (; s < 40; s++) meter.add(report(s * 1000 * pace), s * 1000, new Date());
    expect(meter.abnormal(s * 1000)).toBe(verdict);
  });
});
