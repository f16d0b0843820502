import { leadBytes, Prepared } from '../../http/prepared.ts';
import { tagOfPiece, tagOfText } from '../../http/validators.ts';

export const pieceCaching: readonly string[] = ['Cache-Control', 'public, max-age=600'];
const playlistType = 'application/vnd.apple.mpegurl';

export function preparedPlaylist(body: Buffer, caching: string): Prepared {
  return new Prepared(body, ['Content-Type', playlistType, 'Cache-Control', caching], {
    isText: true,
    tag: tagOfText(body),
  });
}

/** Bytes that are answered from memory: segments, parts, initialisation segments. */
export function preparedPiece(bytes: Buffer, contentType: string): Prepared {
  return new Prepared(bytes, [...pieceHeaders(contentType), ...pieceCaching], { tag: tagOfPiece(bytes.length) });
}

/** The same for bytes behind `leadBytes` of room. */
export function preparedRoomyPiece(roomy: Buffer, contentType: string): Prepared {
  const tag = tagOfPiece(roomy.length - leadBytes);
  return Prepared.inRoomy(roomy, [...pieceHeaders(contentType), ...pieceCaching], tag);
}

export function pieceHeaders(contentType: string): string[] {
  return ['Content-Type', contentType, 'Accept-Ranges', 'bytes'];
}
