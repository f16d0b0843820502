import { describe, expect, it } from 'vitest';
import { startOfTime } from '../hls-source.fixture.ts';
import { type LlPlaylist, type LlSegment, llPlaylist } from './ll-playlist.ts';

function segment(sequence: number, partCount = 6, isDiscontinuity = false, mapUri = 'init-0.mp4'): LlSegment {
  const parts = Array.from({ length: partCount }, (_, part) => ({
    uri: `s-${sequence}-${part}.m4s`,
    durationMs: 1000 / 3,
    isIndependent: part === 0,
  }));
  const durationMs = (partCount * 1000) / 3;
  const uri = `s-${sequence}.m4s`;
  return {
    sequence,
    uri,
    startMs: 2000 * sequence,
    durationMs,
    dateMs: startOfTime,
    isDiscontinuity,
    isIndependent: true,
    mapUri,
    parts,
    size: 1000,
  };
}

function playlist(overrides: Partial<LlPlaylist> = {}): LlPlaylist {
  return {
    segments: Array.from({ length: 10 }, (_, index) => segment(100 + index)),
    discontinuitySequence: 0,
    open: segment(110, 2),
    hintUri: 's-110-2.m4s',
    targetSeconds: 2,
    partTargetMs: 334,
    partHoldBackMs: 900,
    ...overrides,
  };
}

const linesOf = (text: string, tag: string) => text.split('\n').filter((line) => line.startsWith(tag));

describe('llPlaylist', () => {
  it('declares the values that players need', () => {
    const text = llPlaylist(playlist(), false);
    expect(text.split('\n').slice(0, 10)).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:9',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0.900,HOLD-BACK=6.000,CAN-SKIP-UNTIL=12.000',
      '#EXT-X-PART-INF:PART-TARGET=0.334',
      '#EXT-X-MEDIA-SEQUENCE:100',
      '#EXT-X-DISCONTINUITY-SEQUENCE:0',
      '#EXT-X-MAP:URI="init-0.mp4"',
      '#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.000Z',
    ]);
    expect(text.endsWith('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="s-110-2.m4s"\n')).toBe(true);
    expect(linesOf(text, '#EXTINF')).toHaveLength(10);
    expect(linesOf(text, '#EXT-X-RENDITION-REPORT')).toEqual([]);
  });

  it('names parts near the end only, and marks the independent ones', () => {
    const parts = linesOf(llPlaylist(playlist(), false), '#EXT-X-PART:');
    expect(parts[0]).toBe('#EXT-X-PART:DURATION=0.333,URI="s-107-0.m4s",INDEPENDENT=YES');
    expect(parts[1]).toBe('#EXT-X-PART:DURATION=0.333,URI="s-107-1.m4s"');
    expect(parts.at(-1)).toBe('#EXT-X-PART:DURATION=0.333,URI="s-110-1.m4s"');
  });

  it('counts old segments instead of naming them in a delta update', () => {
    const text = llPlaylist(playlist(), true);
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:100\n');
    expect(text).toContain('#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n');
    expect(linesOf(text, 's-')).toEqual(['s-104.m4s', 's-105.m4s', 's-106.m4s', 's-107.m4s', 's-108.m4s', 's-109.m4s']);
    expect(linesOf(text, '#EXT-X-MAP')).toEqual([]);
  });

  it('lists everything when there is nothing to skip', () => {
    const short = playlist({ segments: [segment(109)] });
    expect(llPlaylist(short, true)).toBe(llPlaylist(short, false));
  });

  it('repeats the init segment after a discontinuity', () => {
    const segments = [segment(108), segment(109, 6, true, 'init-109.mp4')];
    const text = llPlaylist(playlist({ segments, open: segment(110, 1, false, 'init-109.mp4') }), false);
    expect(linesOf(text, '#EXT-X-MAP')).toHaveLength(2);
    expect(text).toContain('s-108.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-109.mp4"\n');
  });

  it('does not declare independent segments when one begins without a keyframe', () => {
    const segments = [segment(108), { ...segment(109), isIndependent: false }];
    expect(llPlaylist(playlist({ segments }), false)).not.toContain('INDEPENDENT-SEGMENTS');
    expect(llPlaylist(playlist({ open: { ...segment(110, 2), isIndependent: false } }), false)).not.toContain(
      'INDEPENDENT-SEGMENTS',
    );
  });
});
