import { open } from 'node:fs/promises';

/** Enough for the first frame of each track. */
const lookBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;
/** The clock of MPEG-TS has 33 bits of 90 kHz. */
const wrapMs = 2 ** 33 / 90;

interface SegmentBeginning {
  /** Time of the first frame, on the clock of its packets. */
  readonly startMs: number;
  readonly video: 'h264' | 'h265' | '';
}

/** Places a segment on the clock of its stream, with the lag of its audio if that was measured. */
export async function placeOnClock(file: string, { durationMs }: { durationMs: number }, heardMs: number | undefined) {
  const { startMs: wrapped, video } = await readBeginning(file);
  const startMs = heardMs === undefined ? wrapped : unwrapMs(wrapped, heardMs);
  return { startMs, video, behindMs: heardMs === undefined ? 0 : Math.max(0, startMs + durationMs - heardMs) };
}

/** Read from its own packets. */
async function readBeginning(file: string): Promise<SegmentBeginning> {
  const handle = await open(file);
  try {
    // Loaded by the first segment: a server that looks at none does without.
    const { MpegTsDemuxer } = await import('@weir/media/mpegts-demuxer');
    const demuxer = new MpegTsDemuxer();
    const tracks = new Map<string, { ptsMs: number; codec: string }>();
    let announced = 0;
    const piece = Buffer.alloc(pieceBytes);
    for (let at = 0; at < lookBytes; at += pieceBytes) {
      const { bytesRead } = await handle.read(piece, 0, pieceBytes, at);
      const found = bytesRead > 0 ? demuxer.push(Buffer.from(piece.subarray(0, bytesRead))) : demuxer.flush();
      for (const item of found) {
        if (item.type === 'metadata')
          announced = Object.keys(item.values).filter((name) => /codecid$/.test(name)).length;
        if (item.type !== 'frame' || tracks.has(item.frame.kind)) continue;
        tracks.set(item.frame.kind, { ptsMs: item.frame.ptsMs, codec: item.frame.codec });
      }
      if (bytesRead === 0 || tracks.size >= Math.max(1, announced)) break;
    }
    if (tracks.size === 0) throw new Error('no media in the segment');
    const codec = tracks.get('video')?.codec;
    return {
      startMs: Math.min(...[...tracks.values()].map(({ ptsMs }) => ptsMs)),
      video: codec === 'h264' || codec === 'h265' ? codec : '',
    };
  } finally {
    await handle.close();
  }
}

/** The same moment on a clock that does not start over: the one nearest to a moment that is known. */
function unwrapMs(ms: number, nearMs: number): number {
  return ms + Math.round((nearMs - ms) / wrapMs) * wrapMs;
}

/** Time as the packets of the segment express it. */
export function wrappedMs(ms: number): number {
  const rest = ms % wrapMs;
  return rest < 0 ? rest + wrapMs : rest;
}
