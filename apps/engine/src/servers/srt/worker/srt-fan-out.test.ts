import type { MediaFrame } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { client, place } from '../../../hub/frames.fixture.ts';
import { Stream } from '../../../hub/stream.ts';
import { sample } from '../../../packagers/hls/hls-source.fixture.ts';
import { SrtFanOut } from './srt-fan-out.ts';
import { type MessageSink, SrtViewer } from './srt-viewer.ts';

/** A peer that takes messages while it has room. */
class FakeSink implements MessageSink {
  readonly messages: Buffer[] = [];
  room = Number.POSITIVE_INFINITY;
  isAwaited = false;
  unconfirmed = 0;
  peerLatencyMs = 120;
  setWindow = (): void => undefined;
  facts = () => ({ packetsLost: 0 });

  send(message: Buffer): boolean {
    if (this.room <= 0) return false;
    this.room -= message.length;
    this.messages.push(message);
    return true;
  }

  awaitRoom(): void {
    this.isAwaited = true;
  }
}

const { configs, frames } = sample(3);

function setUp() {
  const stream = new Stream({ key: 'live/one', place, returnMs: 60_000, onOver: () => undefined });
  const publication = stream.publish(client());
  for (const config of configs) publication.config(config);
  const feed = (part: readonly MediaFrame[]) => {
    for (const frame of part) {
      publication.frame(frame);
      vi.runOnlyPendingTimers();
    }
  };
  const state = { isEmpty: false };
  const fanOutOf = () =>
    new SrtFanOut(stream, () => {
      state.isEmpty = true;
    });
  const play = (fanOut: SrtFanOut) => {
    const sink = new FakeSink();
    const ended: string[] = [];
    const entry = client('srt-play');
    const viewer = new SrtViewer({
      admitted: { entry, leave: () => undefined },
      socket: sink,
      end: (reason) => ended.push(reason),
    });
    viewer.join(fanOut);
    return { viewer, sink, ended, entry };
  };
  return { stream, feed, fanOutOf, play, state };
}

function framesIn(messages: readonly Buffer[]) {
  const demuxer = new MpegTsDemuxer();
  const items = [...messages.flatMap((message) => demuxer.push(message)), ...demuxer.flush()];
  return items.flatMap((item) => (item.type === 'frame' ? [item.frame] : []));
}

/** Per PID, whether each packet with payload follows the one before it. */
function hasGaps(messages: readonly Buffer[]): boolean {
  const last = new Map<number, number>();
  const bytes = Buffer.concat(messages);
  for (let at = 0; at < bytes.length; at += 188) {
    const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
    const control = bytes.readUInt8(at + 3);
    if ((control & 0x10) === 0) continue;
    const before = last.get(pid);
    if (before !== undefined && (control & 0xf) !== ((before + 1) & 0xf)) return true;
    last.set(pid, control & 0xf);
  }
  return false;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const half = Math.floor(frames.length / 2);

describe('SrtFanOut', () => {
  it('starts with the tables and a keyframe, and sends every frame from there without a gap', () => {
    const { feed, fanOutOf, play } = setUp();
    feed(frames.slice(0, half));
    const fanOut = fanOutOf();
    const first = play(fanOut);
    const kept = frames.slice(0, half).findLastIndex(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
    expect(first.sink.messages[0]?.readUInt16BE(1)).toBe(0x4000);
    feed(frames.slice(half, half + 5));
    const second = play(fanOut);
    feed(frames.slice(half + 5));
    for (const { sink } of [first, second]) {
      const got = framesIn(sink.messages);
      expect(got[0]).toMatchObject({ kind: 'video', isKeyframe: true });
      expect(got.length).toBe(frames.length - kept);
      expect(hasGaps(sink.messages)).toBe(false);
      expect(sink.messages.every(({ length }) => length <= 1316 && length % 188 === 0)).toBe(true);
    }
    expect(first.entry.counters.bytesOut).toBe(Buffer.concat(first.sink.messages).length);
  });

  it('waits for a keyframe when none is cached', () => {
    const { feed, fanOutOf, play } = setUp();
    const { sink } = play(fanOutOf());
    const start = frames.findIndex(({ kind, isKeyframe }) => kind === 'video' && !isKeyframe);
    feed(frames.slice(start));
    expect(framesIn(sink.messages)[0]).toMatchObject({ kind: 'video', isKeyframe: true });
  });

  it('sends the rest to a viewer whose buffer was full', () => {
    const { feed, fanOutOf, play } = setUp();
    const fanOut = fanOutOf();
    const { viewer, sink } = play(fanOut);
    sink.room = 5000;
    feed(frames);
    expect(sink.isAwaited).toBe(true);
    sink.room = Number.POSITIVE_INFINITY;
    viewer.onWritable();
    expect(framesIn(sink.messages).length).toBe(frames.length);
  });

  it('skips to a keyframe for a viewer that falls behind, while others miss nothing', () => {
    const { feed, fanOutOf, play } = setUp();
    const fanOut = fanOutOf();
    const slow = play(fanOut);
    const fast = play(fanOut);
    slow.sink.room = 0;
    // Large pictures: five megabytes until the last second.
    const padded = frames.map((frame) => (frame.kind === 'video' ? padTo(frame, 120_000) : frame));
    feed(padded);
    expect(slow.entry.counters.droppedFrames).toBeGreaterThan(0);
    expect(fast.entry.counters.droppedFrames).toBe(0);
    expect(framesIn(fast.sink.messages).length).toBe(frames.length);
    slow.sink.room = Number.POSITIVE_INFINITY;
    slow.viewer.onWritable();
    const before = slow.sink.messages.length;
    feed(padded.map((frame) => ({ ...frame, dtsMs: frame.dtsMs + 3000, ptsMs: frame.ptsMs + 3000 })));
    expect(framesIn(slow.sink.messages.slice(before))[0]).toMatchObject({ kind: 'video', isKeyframe: true });
  });

  it('disconnects a viewer that sends data, and stops packaging with the last viewer', () => {
    const { fanOutOf, play, state } = setUp();
    const { viewer, ended } = play(fanOutOf());
    viewer.onMessage();
    expect(ended).toEqual(['sent data while playing']);
    viewer.leave('');
    expect(state.isEmpty).toBe(true);
  });

  it('notifies viewers when the stream ends', () => {
    const { stream, fanOutOf, play } = setUp();
    const { ended } = play(fanOutOf());
    stream.close();
    expect(ended).toEqual(['the stream has ended']);
  });
});

/** The same picture with a filler NAL unit behind it. */
function padTo(frame: MediaFrame, bytes: number): MediaFrame {
  const filler = Buffer.alloc(bytes, 0xff);
  filler.writeUInt32BE(bytes - 4, 0);
  filler.writeUInt8(0x0c, 4);
  return { ...frame, payload: Buffer.concat([frame.payload, filler]) };
}
