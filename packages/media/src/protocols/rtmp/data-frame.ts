import { encodeAmf0 } from './amf0.ts';

const setDataFrame = encodeAmf0(['@setDataFrame']);
const clearDataFrame = encodeAmf0(['@clearDataFrame']);

/**
 * Returns the values of a data message in the form of an FLV script tag. Publishers put `@setDataFrame` in front, a
 * command to the server that is not part of the data. Undefined for `@clearDataFrame`, which has no data.
 */
export function unwrapDataFrame(payload: Buffer): Buffer | undefined {
  if (startsWith(payload, clearDataFrame)) return undefined;
  return startsWith(payload, setDataFrame) ? payload.subarray(setDataFrame.length) : payload;
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.length >= prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}
