import { MalformedMedia } from '../../../frame.ts';
import { messageType, type RtmpMessage } from '../message.ts';

const partHeaderBytes = 11;
const backPointerBytes = 4;
/** A part can be empty, so the length of the message alone would allow half a million of them. */
const maxParts = 4096;

/**
 * The parts of an aggregate message (RTMP 1.0, 7.1.6), which are laid out as FLV tags. Their times are moved so
 * that the first part is at the time of the whole.
 */
export function splitAggregate(aggregate: RtmpMessage): RtmpMessage[] {
  const messages: RtmpMessage[] = [];
  const { payload, streamId } = aggregate;
  let offset = 0;
  let shift: number | undefined;
  for (let count = 0; offset < payload.length; count += 1) {
    if (count === maxParts) throw new MalformedMedia('RTMP aggregate has too many parts');
    if (payload.length - offset < partHeaderBytes) throw new MalformedMedia('RTMP aggregate ends inside a header');
    const type = payload.readUInt8(offset);
    const length = payload.readUIntBE(offset + 1, 3);
    const time = payload.readUIntBE(offset + 4, 3) + payload.readUInt8(offset + 7) * 0x1000000;
    const start = offset + partHeaderBytes;
    if (payload.length - start < length) throw new MalformedMedia('RTMP aggregate ends inside a part');
    if (type === messageType.audio || type === messageType.video || type === messageType.data) {
      shift ??= aggregate.timestamp - time;
      const part = payload.subarray(start, start + length);
      messages.push({ type, streamId, timestamp: (time + shift) >>> 0, payload: part });
    }
    offset = start + length + backPointerBytes;
  }
  return messages;
}
