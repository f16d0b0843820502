import { MalformedMedia } from '../../frame.ts';
import { Amf0EcmaArray, type Amf0Object, type Amf0Value, decodeAmf0, UnsupportedAmf3 } from './amf0.ts';
import { messageType, type RtmpMessage } from './message.ts';

/** A command is a few hundred bytes; a connect with everything in it, a few thousand. */
const maxCommandBytes = 65_536;

/** A command message, with what peers leave out or send in the wrong type replaced by its default. */
export interface RtmpCommand {
  readonly name: string;
  readonly streamId: number;
  readonly transactionId: number;
  readonly object: Amf0Object;
  readonly rest: readonly Amf0Value[];
}

/** Undefined when the message is well formed but no command that can be read here, such as one in AMF3. */
export function parseCommand({ type, streamId, payload }: RtmpMessage): RtmpCommand | undefined {
  if (payload.length > maxCommandBytes) throw new MalformedMedia('RTMP command is too long');
  // A command of type 17 is AMF0 after one zero byte; an encoder that forgets the byte starts with a string marker.
  const hasPrefix = type === messageType.commandAmf3 && payload[0] === 0;
  const [name, id, object, ...rest] = decodeValues(hasPrefix ? payload.subarray(1) : payload);
  if (typeof name !== 'string') return undefined;
  return {
    name,
    streamId,
    transactionId: typeof id === 'number' ? id : 0,
    object: isPlainObject(object) ? object : {},
    // Some leave out the command object and come straight to the point.
    rest: typeof object === 'string' ? [object, ...rest] : rest,
  };
}

function decodeValues(payload: Buffer): Amf0Value[] {
  try {
    return decodeAmf0(payload);
  } catch (error) {
    if (error instanceof UnsupportedAmf3) return [];
    throw error;
  }
}

export function isPlainObject(value: Amf0Value): value is Amf0Object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Date) && !(value instanceof Amf0EcmaArray);
}

export function toText(value: Amf0Value): string {
  return typeof value === 'string' ? value : '';
}
