import { constants } from 'node:http2';
import { endHeaders, endStream, field, frame, getFields, getFrame, number32, whole } from './raw-http2.fixture.ts';

/** One kind of flood: frames that cost their sender little. For one connection. */
interface Flood {
  readonly title: string;
  /** Frames that come first. */
  readonly before?: readonly Buffer[];
  /** The next bytes to send, many frames at once. */
  readonly bytes: () => Buffer;
  /** Why the server may end the connection. */
  readonly codes: readonly (number | undefined)[];
}

const {
  NGHTTP2_ENHANCE_YOUR_CALM: calm,
  NGHTTP2_INTERNAL_ERROR: internal,
  NGHTTP2_PROTOCOL_ERROR: protocol,
} = constants;
const path = '/live/a.ts';

/** Repeats a frame, for a sender that writes many at a time. */
function many(one: Buffer, count = 1000): () => Buffer {
  const all = Buffer.concat(new Array<Buffer>(count).fill(one));
  return () => all;
}

/** Requests, each with what follows. */
function requests(next: (stream: number) => readonly Buffer[], count = 200): () => Buffer {
  let stream = 1;
  return () => {
    const frames: Buffer[] = [];
    for (let index = 0; index < count; index++, stream += 2) frames.push(...next(stream));
    return Buffer.concat(frames);
  };
}

/** A field of 4,000 bytes that enters the table, and then many fields that name it by one byte each (RFC 7541, 6.1 and 6.2.1). */
function bomb(references: number): Buffer {
  const value = Buffer.alloc(4000, 'x');
  const long = Buffer.concat([Buffer.from([0x40, 1, 0x61, 0x7f]), Buffer.from([0xa1, 0x1e]), value]);
  return Buffer.concat([getFields(path), long, Buffer.alloc(references, 0xbe)]);
}

export const floods: readonly Flood[] = [
  {
    title: 'requests that are given up at once (CVE-2023-44487)',
    bytes: requests((stream) => [getFrame(stream, path), frame('reset', stream, number32(constants.NGHTTP2_CANCEL))]),
    codes: [calm, internal],
  },
  {
    title: 'requests that the server is made to give up',
    bytes: requests((stream) => [getFrame(stream, path), frame('window', stream, number32(0))]),
    codes: [calm, internal, protocol],
  },
  { title: 'settings', bytes: many(frame('settings', whole)), codes: [calm] },
  {
    title: 'settings that change the windows of streams',
    bytes: many(frame('settings', whole, Buffer.from([0, 4, ...number32(65_535)]))),
    codes: [calm],
  },
  { title: 'pings', bytes: many(frame('ping', whole, Buffer.alloc(8))), codes: [calm] },
  {
    title: 'windows',
    before: [getFrame(1, path)],
    bytes: many(frame('window', whole, number32(1))),
    codes: [calm],
  },
  {
    title: 'priorities',
    bytes: many(frame('priority', 3, Buffer.from([0, 0, 0, 0, 1]))),
    codes: [calm],
  },
  {
    title: 'data without bytes',
    before: [frame('headers', 1, getFields(path), endHeaders)],
    bytes: many(frame('data', 1)),
    codes: [calm, internal, constants.NGHTTP2_STREAM_CLOSED],
  },
  {
    title: 'headers without an end (CVE-2024-27316)',
    before: [frame('headers', 1, getFields(path))],
    bytes: many(frame('continuation', 1, field('a', 'b')), 100),
    codes: [calm, internal, protocol],
  },
  {
    title: 'headers that are large when they are not compressed',
    bytes: requests((stream) => [frame('headers', stream, bomb(8000), endHeaders | endStream)], 2),
    codes: [calm, internal, constants.NGHTTP2_COMPRESSION_ERROR],
  },
];
