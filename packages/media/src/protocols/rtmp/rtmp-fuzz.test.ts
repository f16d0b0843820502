import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlvBodyReader } from '../../containers/flv/flv-body-reader.ts';
import { MalformedMedia } from '../../frame.ts';
import { beginnings, expectCivil, mutated, seeds } from '../../seeds.fixture.ts';
import { type Amf0Value, decodeAmf0, encodeAmf0 } from './amf0.ts';
import { ChunkReader } from './chunks/chunk-reader.ts';
import { encodeMessage } from './chunks/chunk-writer.ts';
import { ClientHandshake } from './handshake.ts';
import { encodeMedia } from './outgoing.ts';
import { encodeCommand, encodeData } from './replies.ts';
import { RtmpServerSession } from './server-session.ts';

const hello = Buffer.concat([new ClientHandshake().hello, Buffer.alloc(1536)]);

/** Bytes of a publisher from connect to its end, in chunks of the default size. */
const conversation = Buffer.concat([
  encodeCommand(0, ['connect', 1, { app: 'live', tcUrl: 'rtmp://h/live', fourCcList: ['hvc1'] }], 128),
  encodeCommand(0, ['FCPublish', 2, null, 's'], 128),
  encodeCommand(0, ['createStream', 3, null], 128),
  encodeCommand(1, ['publish', 4, null, 's?key=1', 'live'], 128),
  encodeData(1, ['@setDataFrame', 'onMetaData', { width: 640, height: 360, encoder: 'x'.repeat(100) }], 128),
  encodeMedia(9, 0, Buffer.alloc(400, 0x17), 1, 128),
  encodeMedia(8, 0xffffff, Buffer.alloc(300, 0xaf), 1, 128),
  encodeCommand(0, ['deleteStream', 5, null, 1], 128),
]);

/** Plays the bytes to a session in pieces; anything but a MalformedMedia is a failure. */
function play(bytes: Buffer, pieceBytes: number): number {
  const session = new RtmpServerSession();
  let events = 0;
  try {
    session.push(hello);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      events += session.push(bytes.subarray(at, at + pieceBytes)).length;
      session.acceptPublish();
      session.acceptPlay();
      session.readOutput();
    }
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
  }
  return events;
}

/** Processes a publisher's bytes as the engine does: bytes to events, events to frames. */
function receive(bytes: Buffer, pieceBytes: number): { frames: number; outputBytes: number } {
  const session = new RtmpServerSession();
  const bodies = new FlvBodyReader();
  let frames = 0;
  let outputBytes = 0;
  expectCivil(() => {
    // Once more at the end: what came together with `publish` comes out of the next push.
    for (let at = 0; at < bytes.length + pieceBytes; at += pieceBytes) {
      for (const event of session.push(bytes.subarray(at, at + pieceBytes))) {
        if (event.type === 'publish') session.acceptPublish();
        if (event.type === 'play') session.acceptPlay();
        if (event.type !== 'media') continue;
        const items = bodies.read(event.kind, event.timestamp, event.payload);
        frames += items.filter(({ type }) => type === 'frame').length;
      }
      outputBytes += session.readOutput()?.length ?? 0;
    }
  });
  return { frames, outputBytes };
}

const recorded = seeds('rtmp');
const piece = fc.integer({ min: 1, max: 200 });

describe('RtmpServerSession on hostile bytes', () => {
  it('reports the same conversation in chunks of any size', () => {
    const whole = play(conversation, 64);
    for (let size = 1; size < 100; size += 1) expect(play(conversation, size)).toBe(whole);
  });

  it.each(recorded)('reads the session that %s recorded, in chunks of any size', (name, bytes) => {
    const { frames } = receive(bytes, 1);
    expect(frames > 10).toBe(!name.includes('play'));
    for (const size of [100, 1460, 4096]) expect(receive(bytes, size).frames).toBe(frames);
  });

  it.each(recorded)('accepts %s cut off anywhere', (_, bytes) => {
    for (const beginning of beginnings(bytes, 60)) receive(beginning, 1460);
  });

  it('survives mutated recorded sessions, and does not answer with a flood', () => {
    const input = mutated(recorded.map(([, bytes]) => bytes));
    // The handshake is checked by others: behind it the changes bite.
    const behind = mutated(recorded.map(([, bytes]) => bytes.subarray(hello.length))).map((bytes) =>
      Buffer.concat([hello, bytes]),
    );
    fc.assert(
      fc.property(fc.oneof(input, behind, behind), fc.constantFrom(61, 1460, 65_536), (bytes, size) => {
        expect(receive(bytes, size).outputBytes).toBeLessThan(20 * bytes.length + 10_000);
      }),
      { numRuns: 500 },
    );
  });

  it('survives random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), piece, (bytes, size) => {
        play(Buffer.from(bytes), size);
      }),
      { numRuns: 1000 },
    );
  });

  it('survives a conversation with bytes changed, cut out or doubled', () => {
    const at = fc.integer({ min: 0, max: conversation.length - 1 });
    const change = fc.record({ at, value: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), at, at, piece, (changes, from, to, size) => {
        const mutated = Buffer.from(conversation);
        for (const { at: index, value } of changes) mutated[index] = value;
        play(mutated, size);
        play(mutated.subarray(0, from), size);
        play(Buffer.concat([mutated.subarray(0, from), mutated.subarray(to)]), size);
      }),
      { numRuns: 500 },
    );
  });

  it('survives commands with arguments of any type', () => {
    const name = fc.constantFrom('connect', 'publish', 'play', 'createStream', 'deleteStream', 'FCPublish', 'x', '');
    const argument = fc.oneof<fc.Arbitrary<Amf0Value>[]>(
      fc.double(),
      fc.boolean(),
      fc.string({ maxLength: 600 }),
      fc.constantFrom<Amf0Value>(null, undefined, [], {}, { app: 'live' }, new Date(0), { app: { app: 1 } }),
    );
    const command = fc.tuple(name, fc.array(argument, { maxLength: 5 }), fc.constantFrom(15, 17, 18, 20));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 6 }), fc.boolean(), (commands, isConnected) => {
        const parts = commands.map(([first, rest, type]) =>
          encodeMessage(
            { type, streamId: 1, timestamp: 0, payload: encodeAmf0([first, ...rest]), chunkStreamId: 3 },
            128,
          ),
        );
        const connect = encodeCommand(0, ['connect', 1, { app: 'live' }], 128);
        play(Buffer.concat(isConnected ? [connect, ...parts] : parts), 4096);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('AMF0 on hostile bytes', () => {
  const real = seeds('amf0').map(([, bytes]) => bytes);

  it('accepts the messages of encoders, cut off anywhere or mutated', () => {
    for (const seed of real) {
      expect(decodeAmf0(seed).length).toBeGreaterThan(1);
      for (const beginning of beginnings(seed)) expectCivil(() => decodeAmf0(beginning));
    }
    fc.assert(
      fc.property(mutated(real), (bytes) => {
        expectCivil(() => decodeAmf0(bytes));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('ChunkReader on hostile bytes', () => {
  it('limits time and memory', () => {
    const block = Buffer.alloc(65_536);
    const before = process.memoryUsage().arrayBuffers;
    const started = performance.now();
    for (let seed = 0; seed < 200; seed += 1) {
      for (let at = 0; at < block.length; at += 1) block[at] = (at * 31 + seed * 17 + ((at * seed) >> 3)) & 255;
      const reader = new ChunkReader();
      try {
        for (let round = 0; round < 4; round += 1) reader.push(block);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedMedia);
      }
    }
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * 1024 * 1024);
  });
});
