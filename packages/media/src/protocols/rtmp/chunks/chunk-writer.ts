import { messageType, userControl } from '../message.ts';

interface OutgoingMessage {
  readonly type: number;
  readonly streamId: number;
  readonly timestamp: number;
  /** Several parts are written one after the other, so that a header and a frame need no joining first. */
  readonly payload: Buffer | readonly Buffer[];
  /** 2 to 63, so that the basic header is one byte. */
  readonly chunkStreamId: number;
}

const headerBytes = 12;
const extendedMark = 0xffffff;
const controlChunkStream = 2;

/** A whole message: a type 0 chunk and as many type 3 chunks as it takes. */
export function encodeMessage(message: OutgoingMessage, chunkSize: number): Buffer {
  const parts = Buffer.isBuffer(message.payload) ? [message.payload] : message.payload;
  let length = 0;
  for (const part of parts) length += part.length;
  if (length > 0xffffff) throw new RangeError('RTMP message is too long');
  const timestamp = message.timestamp >>> 0;
  const extendedBytes = timestamp >= extendedMark ? 4 : 0;
  const continuations = length === 0 ? 0 : Math.ceil(length / chunkSize) - 1;
  const total = headerBytes + extendedBytes + length + continuations * (1 + extendedBytes);
  const bytes = Buffer.allocUnsafe(total);

  bytes[0] = message.chunkStreamId;
  bytes.writeUIntBE(Math.min(timestamp, extendedMark), 1, 3);
  bytes.writeUIntBE(length, 4, 3);
  bytes[7] = message.type;
  bytes.writeUInt32LE(message.streamId, 8);
  let at = headerBytes;
  if (extendedBytes > 0) at = bytes.writeUInt32BE(timestamp, at);

  let room = chunkSize;
  for (const part of parts) {
    let from = 0;
    while (from < part.length) {
      if (room === 0) {
        bytes[at] = 0xc0 | message.chunkStreamId;
        at += 1;
        if (extendedBytes > 0) at = bytes.writeUInt32BE(timestamp, at);
        room = chunkSize;
      }
      const count = part.copy(bytes, at, from, from + room);
      from += count;
      at += count;
      room -= count;
    }
  }
  return bytes;
}

function encodeControl(type: number, payload: Buffer): Buffer {
  // Control messages are shorter than any chunk size, so the size in force does not matter.
  return encodeMessage({ type, streamId: 0, timestamp: 0, payload, chunkStreamId: controlChunkStream }, 128);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

export function encodeSetChunkSize(size: number): Buffer {
  return encodeControl(messageType.setChunkSize, uint32(size));
}

export function encodeAcknowledgement(receivedBytes: number): Buffer {
  return encodeControl(messageType.acknowledgement, uint32(receivedBytes));
}

export function encodeWindowAckSize(size: number): Buffer {
  return encodeControl(messageType.windowAckSize, uint32(size));
}

/** With the limit type "dynamic", as every server sends it. */
export function encodeSetPeerBandwidth(size: number): Buffer {
  return encodeControl(messageType.setPeerBandwidth, Buffer.concat([uint32(size), Buffer.from([2])]));
}

function encodeUserControl(event: number, value: number): Buffer {
  return encodeControl(messageType.userControl, Buffer.concat([Buffer.from([0, event]), uint32(value)]));
}

export function encodeStreamBegin(streamId: number): Buffer {
  return encodeUserControl(userControl.streamBegin, streamId);
}

export function encodeStreamEof(streamId: number): Buffer {
  return encodeUserControl(userControl.streamEof, streamId);
}

export function encodePingRequest(timestamp: number): Buffer {
  return encodeUserControl(userControl.pingRequest, timestamp);
}

export function encodePingResponse(timestamp: number): Buffer {
  return encodeUserControl(userControl.pingResponse, timestamp);
}
