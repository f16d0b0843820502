import { encodeAmf0 } from './amf0.ts';

const setDataFrame = encodeAmf0(['@setDataFrame']);
const clearDataFrame = encodeAmf0(['@clearDataFrame']);

/**
 * The values of a data message as an FLV script tag holds them. Publishers wrap them in `@setDataFrame`, which is an
 * order to the server and no part of the data. Undefined for an order without data.
 */
export function unwrapDataFrame(payload: Buffer): Buffer | undefined {
  if (startsWith(payload, clearDataFrame)) return undefined;
  return startsWith(payload, setDataFrame) ? payload.subarray(setDataFrame.length) : payload;
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.length >= prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}
