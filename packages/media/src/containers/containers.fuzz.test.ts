import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Demuxed } from '../frame.ts';
import { beginnings, expectCivil, mutated, seeds } from '../seeds.fixture.ts';
import { FlvDemuxer } from './flv/flv-demuxer.ts';
import { Fmp4Muxer } from './fmp4/fmp4-muxer.ts';
import { MpegTsDemuxer } from './mpegts/mpegts-demuxer.ts';
import { MpegTsMuxer } from './mpegts/mpegts-muxer.ts';

interface Demuxer {
  push(chunk: Buffer): Demuxed[];
  flush?(): Demuxed[];
}

function demux(demuxer: Demuxer, bytes: Buffer, pieceBytes = bytes.length || 1): Demuxed[] {
  const items: Demuxed[] = [];
  expectCivil(() => {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      items.push(...demuxer.push(bytes.subarray(at, at + pieceBytes)));
    items.push(...(demuxer.flush?.() ?? []));
  });
  return items;
}

/** Uses every output of the demuxer as the engine does. */
function remux(items: readonly Demuxed[]): void {
  const ts = new MpegTsMuxer();
  const video = items.find((item) => item.type === 'config' && item.config.kind === 'video');
  const audio = items.find((item) => item.type === 'config' && item.config.kind === 'audio');
  for (const item of items) {
    expectCivil(() => {
      if (item.type === 'config') ts.setConfig(item.config);
      else if (item.type === 'frame') ts.frame(item.frame);
    });
  }
  expectCivil(() => {
    const fmp4 = new Fmp4Muxer({
      video: video?.type === 'config' && video.config.kind === 'video' ? video.config : undefined,
      audio: audio?.type === 'config' && audio.config.kind === 'audio' ? audio.config : undefined,
    });
    fmp4.initSegment();
    const frames = items.flatMap((item) => (item.type === 'frame' ? [item.frame] : []));
    fmp4.fragments(frames);
  });
}

/** Frames hold no more bytes than came in, small additions aside. */
function expectBounded(items: readonly Demuxed[], bytes: Buffer): void {
  const out = items.reduce((sum, item) => sum + (item.type === 'frame' ? item.frame.payload.length : 64), 0);
  expect(out).toBeLessThanOrEqual(4 * bytes.length + 4096);
}

describe.each([
  ['flv', () => new FlvDemuxer()],
  ['mpegts', () => new MpegTsDemuxer()],
] as const)('a demuxer of %s', (kind, create: () => Demuxer) => {
  const real = seeds(kind);

  it.each(real)('finds video or audio in %s, in chunks of any size', (_, bytes) => {
    const whole = demux(create(), bytes);
    expect(whole.filter(({ type }) => type === 'frame').length).toBeGreaterThan(10);
    for (const size of [1, 7, 188, 1460]) expect(demux(create(), bytes, size)).toEqual(whole);
    remux(whole);
  });

  it.each(real)('accepts %s cut off anywhere', (_, bytes) => {
    for (const beginning of beginnings(bytes, 120)) expectBounded(demux(create(), beginning), beginning);
  });

  it('survives mutated real input, and so do the muxers behind it', () => {
    const piece = fc.constantFrom(1460, 188, 61, 65_536);
    const input = mutated(real.map(([, bytes]) => bytes));
    fc.assert(
      fc.property(input, piece, (bytes, size) => {
        const items = demux(create(), bytes, size);
        expectBounded(items, bytes);
        remux(items);
      }),
      { numRuns: 500 },
    );
  });
});
