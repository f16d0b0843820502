import { describe, expect, it } from 'vitest';
import { startOfTime } from './hls-source.fixture.ts';
import { mediaPlaylist } from './playlist.ts';
import { type Segment, SegmentWindow } from './segments/segment-window.ts';

function segment(sequence: number, durationMs = 10_000, isDiscontinuity = false): Segment {
  return {
    sequence,
    uri: `show-${sequence}-1.ts`,
    startMs: sequence * 10_000,
    durationMs,
    dateMs: startOfTime + sequence * 10_000,
    isDiscontinuity,
    isIndependent: true,
    size: 1000,
  };
}

const shown = ({ segments, discontinuitySequence }: SegmentWindow<Segment>) => ({
  segments,
  discontinuitySequence,
  targetSeconds: 10,
});

const limits = { windowMs: 60_000, maxBytes: 1_000_000 };

describe('mediaPlaylist', () => {
  it('names the segments of the window', () => {
    const window = new SegmentWindow();
    for (const one of [segment(7, 9960.4), segment(8, 10_000.2, true)]) window.add(one, limits);
    expect(mediaPlaylist(shown(window))).toBe(`#EXTM3U
#EXT-X-VERSION:3
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-TARGETDURATION:10
#EXT-X-MEDIA-SEQUENCE:7
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:15.000Z
#EXTINF:9.960,
show-7-1.ts
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:25.000Z
#EXTINF:10.000,
show-8-1.ts
`);
  });

  it('counts the discontinuities that have left the window', () => {
    const window = new SegmentWindow();
    for (let sequence = 0; sequence < 20; sequence++) window.add(segment(sequence, 10_000, sequence % 5 === 4), limits);
    expect(window.segments.map(({ sequence }) => sequence)).toEqual([14, 15, 16, 17, 18, 19]);
    expect(window.discontinuitySequence).toBe(2);
    expect(mediaPlaylist(shown(window))).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-DISCONTINUITY\n');
  });

  it('does not declare independent segments when one begins without a keyframe', () => {
    const window = new SegmentWindow();
    for (const one of [segment(7), { ...segment(8), isIndependent: false }]) window.add(one, limits);
    expect(mediaPlaylist(shown(window))).not.toContain('INDEPENDENT');
  });
});

describe('SegmentWindow', () => {
  it('keeps the segments that cover the window, and at least one', () => {
    const window = new SegmentWindow();
    expect(window.add(segment(0, 100_000), limits)).toEqual([]);
    expect(window.add(segment(1, 30_000), limits)).toEqual([]);
    expect(window.add(segment(2, 30_000), limits).map(({ sequence }) => sequence)).toEqual([0]);
    expect(window.segments).toHaveLength(2);
  });

  it('S40: is bounded by bytes and by number when timestamps stand still', () => {
    const window = new SegmentWindow();
    for (let sequence = 0; sequence < 100; sequence++) window.add({ ...segment(sequence, 1), size: 300_000 }, limits);
    expect(window.segments.map(({ sequence }) => sequence)).toEqual([97, 98, 99]);
    for (let sequence = 100; sequence < 1000; sequence++) window.add({ ...segment(sequence, 1), size: 1 }, limits);
    expect(window.segments).toHaveLength(120);
    expect(window.segments.at(-1)?.sequence).toBe(999);
  });
});
