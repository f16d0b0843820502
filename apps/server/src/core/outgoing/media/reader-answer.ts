import type { IncomingMessage, ServerResponse } from 'node:http';
import { OutgoingError } from '../outgoing-error.ts';
import { playlistMark, rewritePlaylist } from './playlist-addresses.ts';
import { followedAddress } from './reader-address.ts';

/** Hours of segments with long names; more is no playlist. */
const mostPlaylistBytes = 4 * 1024 * 1024;
/** Response headers that ffmpeg needs. */
const kept = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'www-authenticate', 'set-cookie'];

interface Context {
  /** Requested URL. */
  readonly url: URL;
  readonly onRefused: (why: string) => void;
}

/**
 * Passes an answer on to ffmpeg. Redirects and the addresses in playlists are rewritten to what it asks here, so that nothing in
 * them can name another protocol; what is no playlist goes through as it comes.
 */
export async function answerReader(answer: IncomingMessage, res: ServerResponse, context: Context): Promise<void> {
  const { statusCode = 502, headers } = answer;
  const encoding = headers['content-encoding'] ?? 'identity';
  // ffmpeg would unpack it, and we would not see what it reads.
  if (encoding !== 'identity') throw new OutgoingError('no-connection', 'the response has an unexpected encoding');
  const shown = Object.fromEntries(
    kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const { location } = headers;
  if (location !== undefined) shown.location = followedAddress(location, context.url, context.onRefused);
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  let isOver = false;
  while (head.length < playlistMark.length && !isOver) {
    const { value, done } = await chunks.next();
    isOver = done === true;
    if (!isOver) head = Buffer.concat([head, value]);
  }
  if (head.subarray(0, playlistMark.length).toString('latin1') !== playlistMark) {
    res.writeHead(statusCode, shown);
    await pour(head, chunks, res);
    return;
  }
  const playlist = rewritePlaylist(await rest(head, chunks), (address) =>
    followedAddress(address, context.url, context.onRefused),
  );
  const body = Buffer.from(playlist);
  const { 'content-range': _range, 'accept-ranges': _ranges, ...plain } = shown;
  res.writeHead(statusCode === 206 ? 200 : statusCode, { ...plain, 'content-length': String(body.length) }).end(body);
}

async function pour(head: Buffer, chunks: AsyncIterator<Buffer>, res: ServerResponse): Promise<void> {
  if (head.length > 0) await write(res, head);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) break;
    await write(res, value);
  }
  res.end();
}

/** No faster than it is taken; whoever left takes nothing more. */
function write(res: ServerResponse, bytes: Buffer): Promise<void> | undefined {
  if (res.destroyed) throw new OutgoingError('stopped', 'the reader disconnected');
  if (res.write(bytes)) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

async function rest(head: Buffer, chunks: AsyncIterator<Buffer>): Promise<string> {
  const all = [head];
  let bytes = head.length;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return Buffer.concat(all).toString('utf8');
    bytes += value.length;
    if (bytes > mostPlaylistBytes) throw new OutgoingError('too-large', 'the playlist is too large');
    all.push(value);
  }
}
