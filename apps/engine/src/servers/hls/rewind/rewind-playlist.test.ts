import { expect, it } from 'vitest';
import type { CatalogChunk } from './rewind-catalog.ts';
import { chunkText, rewindPlaylist } from './rewind-playlist.ts';

const startMs = Date.parse('2026-03-01T08:00:00.000Z');

/** Two pieces of four seconds. */
function chunk(index: number, change: Partial<CatalogChunk> = {}): CatalogChunk {
  const first = 100 + 2 * index;
  const piece = (offset: number) => {
    const dateMs = startMs + (2 * index + offset) * 4000;
    return { number: first + offset, durationMs: 4000, dateMs, isDiscontinuity: index === 1 && offset === 1 };
  };
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  return {
    first,
    head: { ...place, discontinuities: index > 1 ? 1 : 0, pieceMs: 4000, targetSeconds: 4 },
    pieces: [piece(0), piece(1)],
    isIndependent: true,
    durationMs: 8000,
    endMs: startMs + 8000 * (index + 1),
    peak: 1_000_000,
    ...change,
  };
}

const text = (one: CatalogChunk) => chunkText(one, (number) => `show.dvr-${number}.ts`);

it('lists what is kept, with dates at the beginning of chunks and after discontinuities', () => {
  expect(rewindPlaylist([chunk(0), chunk(1)], text, { isDelta: false, isOver: true })).toBe(`#EXTM3U
#EXT-X-VERSION:3
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-TARGETDURATION:4
#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24.000
#EXT-X-MEDIA-SEQUENCE:100
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-PROGRAM-DATE-TIME:2026-03-01T08:00:00.000Z
#EXTINF:4.000,
show.dvr-100.ts
#EXTINF:4.000,
show.dvr-101.ts
#EXT-X-PROGRAM-DATE-TIME:2026-03-01T08:00:08.000Z
#EXTINF:4.000,
show.dvr-102.ts
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-03-01T08:00:12.000Z
#EXTINF:4.000,
show.dvr-103.ts
#EXT-X-ENDLIST
`);
});

it('counts what lies further back than six targets for a player that knows it, and tells the discontinuities before', () => {
  const all = Array.from({ length: 6 }, (_, index) => chunk(index));
  const delta = rewindPlaylist(all, text, { isDelta: true, isOver: false });
  expect(delta).toContain('#EXT-X-VERSION:9\n');
  expect(delta).toContain('#EXT-X-SKIP:SKIPPED-SEGMENTS=6\n#EXT-X-PROGRAM-DATE-TIME:2026-03-01T08:00:24.000Z\n');
  expect(delta.match(/^show/gm)).toHaveLength(6);
  expect(rewindPlaylist(all.slice(3), text, { isDelta: true, isOver: false })).not.toContain('SKIP:');
  expect(rewindPlaylist(all.slice(2), text, { isDelta: false, isOver: false })).toContain('DISCONTINUITY-SEQUENCE:1\n');
});

it('promises keyframes only where every chunk has them, and a target that no piece exceeds', () => {
  const long = chunk(1, {
    isIndependent: false,
    pieces: [{ number: 102, durationMs: 9600, dateMs: startMs, isDiscontinuity: false }],
  });
  const playlist = rewindPlaylist([chunk(0), long], text, { isDelta: false, isOver: false });
  expect(playlist).not.toContain('INDEPENDENT');
  expect(playlist).toContain('#EXT-X-TARGETDURATION:10\n');
});
