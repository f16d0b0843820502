import { MalformedMedia } from '../../../frame.ts';
import { messageType, type RtmpMessage } from '../message.ts';
import { splitAggregate } from './aggregate.ts';
import { ChunkStream } from './chunk-stream.ts';

export interface ChunkLimits {
  readonly maxMessageBytes: number;
  readonly maxChunkBytes: number;
  readonly maxChunkStreams: number;
  /** Declared bytes of all messages that have begun and not ended. */
  readonly maxPendingBytes: number;
}

const defaultLimits: ChunkLimits = {
  maxMessageBytes: 8 * 1024 * 1024,
  maxChunkBytes: 65_536 * 16,
  maxChunkStreams: 64,
  maxPendingBytes: 16 * 1024 * 1024,
};

const extendedMark = 0xffffff;
/** Basic header 3, message header 11, extended timestamp 4. */
const maxHeaderBytes = 18;
/** Length of the message header by format, RTMP 1.0, 5.3.1.2. */
const messageHeaderBytes = [11, 7, 3, 0];
/** See `#continueStream`. */
const maxRepeatedStartMs = 1000;

/** Handles one message; false stops the reader behind it. */
type OnMessage = (message: RtmpMessage) => boolean;

const nothing = Buffer.alloc(0);

/** Chunks in, whole messages out. Set Chunk Size and Abort are obeyed here and not passed on. */
export class ChunkReader {
  #limits: ChunkLimits;
  readonly #streams = new Map<number, ChunkStream>();
  /** The begin of a header whose end has not come yet. */
  readonly #stash = Buffer.alloc(maxHeaderBytes);
  #stashed = 0;
  #chunkBytes = 128;
  #pendingBytes = 0;
  #current: ChunkStream | undefined;
  /** Bytes of the current chunk still to come. */
  #remaining = 0;
  /** True if the peer repeats the extended timestamp in type 3 chunks; unknown until the first one. */
  #repeatsExtended: boolean | undefined;
  #isHalted = false;
  /** Messages that began before the first known time get that time. */
  #nowMs = Number.POSITIVE_INFINITY;

  constructor(limits: Partial<ChunkLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Holds for messages that begin from now on. */
  limit(limits: Partial<ChunkLimits>): void {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Declared bytes of all messages that have begun and not ended. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Tells the time, by which messages that begin from now on are dated; returns for how long the oldest is under way. */
  tick(nowMs: number): number {
    this.#nowMs = nowMs;
    if (this.#pendingBytes === 0) return 0;
    let oldestMs = nowMs;
    for (const stream of this.#streams.values()) {
      if (stream.payload === undefined) continue;
      stream.begunAtMs = Math.min(stream.begunAtMs, nowMs);
      oldestMs = Math.min(oldestMs, stream.begunAtMs);
    }
    return nowMs - oldestMs;
  }

  push(input: Buffer): RtmpMessage[] {
    const messages: RtmpMessage[] = [];
    this.read(input, (message) => {
      messages.push(message);
      return true;
    });
    return messages;
  }

  /** Hands each message over as soon as it is whole. Returns the bytes behind the one that was to be the last for now. */
  read(input: Buffer, onMessage: OnMessage): Buffer {
    const chunk = this.#joinPeeked(input);
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#remaining === 0) offset = this.#readHeader(chunk, offset);
      if (this.#current === undefined) break;
      offset = this.#readPayload(this.#current, chunk, offset, onMessage);
      if (this.#isHalted) {
        this.#isHalted = false;
        return chunk.subarray(offset);
      }
    }
    return nothing;
  }

  /**
   * Looking for an extended timestamp in a type 3 chunk may have stashed bytes that turn out to be payload, so these
   * are read again together with what follows. All other headers are known by their own bytes.
   */
  #joinPeeked(input: Buffer): Buffer {
    if (this.#stashed === 0 || this.#stash.readUInt8(0) >> 6 !== 3) return input;
    const joined = Buffer.concat([this.#stash.subarray(0, this.#stashed), input]);
    this.#stashed = 0;
    return joined;
  }

  /** Returns where the payload starts; `#current` stays undefined when the header is not complete. */
  #readHeader(chunk: Buffer, offset: number): number {
    this.#current = undefined;
    if (this.#stashed === 0) {
      const size = this.#parseHeader(chunk, offset, chunk.length);
      if (size > 0) return offset + size;
      chunk.copy(this.#stash, 0, offset);
      this.#stashed = chunk.length - offset;
      return chunk.length;
    }
    const before = this.#stashed;
    const copied = chunk.copy(this.#stash, before, offset, offset + maxHeaderBytes - before);
    const size = this.#parseHeader(this.#stash, 0, before + copied);
    if (size > 0) {
      this.#stashed = 0;
      return offset + size - before;
    }
    this.#stashed = before + copied;
    return offset + copied;
  }

  /** Returns the size of the header, or 0, with nothing changed, when it needs more bytes. */
  #parseHeader(bytes: Buffer, start: number, end: number): number {
    const first = bytes[start] ?? 0;
    const format = first >> 6;
    const basicBytes = (first & 63) === 0 ? 2 : (first & 63) === 1 ? 3 : 1;
    const fixedBytes = basicBytes + (messageHeaderBytes[format] ?? 0);
    if (end - start < fixedBytes) return 0;
    let id = first & 63;
    if (basicBytes === 2) id = 64 + bytes.readUInt8(start + 1);
    if (basicBytes === 3) id = 64 + bytes.readUInt16LE(start + 1);
    const stream = this.#streams.get(id);
    if (format === 3) return this.#continueStream(stream, bytes, start, end, fixedBytes);
    const at = start + basicBytes;
    const field = bytes.readUIntBE(at, 3);
    const size = field === extendedMark ? fixedBytes + 4 : fixedBytes;
    if (end - start < size) return 0;
    if (stream?.payload !== undefined) throw new MalformedMedia('RTMP message begins inside another one');
    const target = stream ?? this.#openStream(id, format);
    const time = field === extendedMark ? bytes.readUInt32BE(start + fixedBytes) : field;
    target.extended = field === extendedMark ? time : -1;
    target.delta = time;
    target.wasAbsolute = format === 0;
    if (format <= 1) {
      target.length = bytes.readUIntBE(at + 3, 3);
      target.type = bytes.readUInt8(at + 6);
    }
    if (format === 0) target.streamId = bytes.readUInt32LE(at + 7);
    target.timestamp = format === 0 ? time : (target.timestamp + time) >>> 0;
    this.#startMessage(target);
    return size;
  }

  #openStream(id: number, format: number): ChunkStream {
    // Type 1 first is against the specification, and sent by encoders; types 2 and 3 would have no length.
    if (format > 1) throw new MalformedMedia(`RTMP chunk stream ${id} begins without a header`);
    if (this.#streams.size >= this.#limits.maxChunkStreams) throw new MalformedMedia('too many RTMP chunk streams');
    const stream = new ChunkStream();
    this.#streams.set(id, stream);
    return stream;
  }

  #continueStream(
    stream: ChunkStream | undefined,
    bytes: Buffer,
    start: number,
    end: number,
    fixedBytes: number,
  ): number {
    if (stream === undefined) throw new MalformedMedia('RTMP chunk stream begins without a header');
    const isNew = stream.payload === undefined;
    let size = fixedBytes;
    if (stream.extended >= 0 && this.#repeatsExtended !== false) {
      if (end - start < fixedBytes + 4) return 0;
      // ffmpeg and librtmp repeat the field, others follow the older text and do not. The bytes themselves tell.
      const isRepeated = bytes.readUInt32BE(start + fixedBytes) === stream.extended;
      if (!isNew && this.#repeatsExtended === undefined) this.#repeatsExtended = isRepeated;
      if (isRepeated || this.#repeatsExtended === true) size += 4;
    }
    if (isNew) {
      // The specification makes the start time itself the delta after a type 0 chunk. That is right for the first
      // frames of a stream; later on it is librtmp's way to say "at the same time".
      const isSameTime = stream.wasAbsolute && stream.delta > maxRepeatedStartMs;
      if (!isSameTime) stream.timestamp = (stream.timestamp + stream.delta) >>> 0;
      this.#startMessage(stream);
    } else {
      this.#startChunk(stream);
    }
    return size;
  }

  #startMessage(stream: ChunkStream): void {
    if (stream.length > this.#limits.maxMessageBytes) throw new MalformedMedia('RTMP message is too long');
    stream.filled = 0;
    this.#startChunk(stream);
  }

  #startChunk(stream: ChunkStream): void {
    this.#current = stream;
    this.#remaining = Math.min(this.#chunkBytes, stream.length - stream.filled);
  }

  #readPayload(stream: ChunkStream, chunk: Buffer, offset: number, onMessage: OnMessage): number {
    const used = Math.min(this.#remaining, chunk.length - offset);
    if (stream.payload === undefined) {
      if (used === stream.length) {
        this.#remaining = 0;
        this.#finish(stream, chunk.subarray(offset, offset + used), onMessage);
        return offset + used;
      }
      this.#reserve(stream);
    }
    const payload = stream.grown(used);
    chunk.copy(payload, stream.filled, offset, offset + used);
    stream.filled += used;
    this.#remaining -= used;
    if (stream.filled === stream.length) {
      this.#release(stream);
      this.#finish(stream, payload, onMessage);
    }
    return offset + used;
  }

  #reserve(stream: ChunkStream): void {
    this.#pendingBytes += stream.length;
    if (this.#pendingBytes > this.#limits.maxPendingBytes) throw new MalformedMedia('too much RTMP data is pending');
    stream.reserve(this.#nowMs);
  }

  #release(stream: ChunkStream): void {
    if (stream.payload !== undefined) this.#pendingBytes -= stream.length;
    stream.payload = undefined;
    stream.filled = 0;
  }

  #finish(stream: ChunkStream, payload: Buffer, onMessage: OnMessage): void {
    const { type, streamId, timestamp } = stream;
    const message: RtmpMessage = { type, streamId, timestamp, payload };
    if (type === messageType.setChunkSize) this.#setChunkSize(payload);
    else if (type === messageType.abort) this.#abort(payload);
    else if (type === messageType.aggregate) for (const part of splitAggregate(message)) onMessage(part);
    else this.#isHalted = !onMessage(message);
  }

  #setChunkSize(payload: Buffer): void {
    if (payload.length < 4) throw new MalformedMedia('RTMP chunk size is missing');
    const size = payload.readUInt32BE(0);
    if (size < 1 || size > this.#limits.maxChunkBytes)
      throw new MalformedMedia(`RTMP chunk size ${size} is not usable`);
    this.#chunkBytes = size;
  }

  #abort(payload: Buffer): void {
    if (payload.length < 4) throw new MalformedMedia('RTMP abort names no chunk stream');
    const stream = this.#streams.get(payload.readUInt32BE(0));
    if (stream !== undefined) this.#release(stream);
  }
}
