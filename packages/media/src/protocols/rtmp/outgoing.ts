import { encodeMessage } from './chunks/chunk-writer.ts';

/** Most frames fit one chunk of this size. `RtmpServerSession` announces it to every peer. */
export const playChunkSize = 60_000;

/** The message stream every connection gets, so that one encoding of a frame fits every player. */
export const mediaStreamId = 1;

export type MediaKind = 8 | 9 | 18;

const chunkStreamOf: Readonly<Record<MediaKind, number>> = { 8: 4, 9: 6, 18: 5 };

/** A media message with an absolute time: no state of a connection goes into it, so all players share the bytes. */
export function encodeMedia(
  kind: MediaKind,
  timestamp: number,
  body: Buffer | readonly Buffer[],
  streamId: number = mediaStreamId,
  chunkSize: number = playChunkSize,
): Buffer {
  const chunkStreamId = chunkStreamOf[kind];
  return encodeMessage(
    { type: kind, streamId, timestamp: Math.round(timestamp), payload: body, chunkStreamId },
    chunkSize,
  );
}
