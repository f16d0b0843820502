/** Fields of an ONNX model (`onnx.proto3`) that are read or left out here. */
const [modelGraph, graphInitializer, graphValueInfo] = [7, 5, 13];
const [tensorDims, tensorName, tensorRawData] = [1, 8, 9];
const positions = 'embed_positions.weight';

interface Field {
  readonly number: number;
  /** The whole field, and its content where it is length-delimited. */
  readonly bytes: Buffer;
  readonly content: Buffer;
  readonly value: number;
}

/**
 * Shortens Whisper's encoder from 30 s to `frames` / 50 seconds: it keeps the first rows of the table of positions and leaves out the shapes
 * of inner values, which would not fit any more. An utterance of ten seconds then costs 40 % of the CPU time.
 */
export function shortenWhisperEncoder(model: Buffer, frames: number): Buffer {
  return rewrite(model, modelGraph, (graph) =>
    Buffer.concat(
      readFields(graph).flatMap((field) => {
        if (field.number === graphValueInfo) return [];
        if (field.number !== graphInitializer || !isPositions(field.content)) return [field.bytes];
        return [delimited(graphInitializer, shortenTensor(field.content, frames))];
      }),
    ),
  );
}

function isPositions(tensor: Buffer): boolean {
  return readFields(tensor).some(
    ({ number, content }) => number === tensorName && content.toString().endsWith(positions),
  );
}

/** Keeps the first rows of a float tensor of two dimensions. */
function shortenTensor(tensor: Buffer, rows: number): Buffer {
  const fields = readFields(tensor);
  const [all = 0, width = 0] = fields.filter(({ number }) => number === tensorDims).flatMap(readDims);
  if (all < rows || width < 1) throw new Error(`the encoder has ${all} positions of ${width} values`);
  const rest = fields.filter(({ number }) => number !== tensorDims && number !== tensorRawData);
  const data = fields.find(({ number }) => number === tensorRawData)?.content;
  if (data?.length !== all * width * 4) throw new Error('the positions of the encoder are not floats');
  return Buffer.concat([
    ...[rows, width].flatMap((dim) => [varint(tensorDims << 3), varint(dim)]),
    ...rest.map(({ bytes }) => bytes),
    delimited(tensorRawData, data.subarray(0, rows * width * 4)),
  ]);
}

/** Repeated numbers are written one by one or packed. */
function readDims({ content, value }: Field): number[] {
  if (content.length === 0) return [value];
  const dims: number[] = [];
  for (let at = 0; at < content.length; ) {
    const [dim, next] = readVarint(content, at);
    dims.push(dim);
    at = next;
  }
  return dims;
}

function rewrite(message: Buffer, number: number, change: (content: Buffer) => Buffer): Buffer {
  return Buffer.concat(
    readFields(message).map((field) =>
      field.number === number ? delimited(number, change(field.content)) : field.bytes,
    ),
  );
}

function readFields(message: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const start = at;
    const [key, afterKey] = readVarint(message, at);
    const [number, wire] = [Math.floor(key / 8), key % 8];
    let content: Buffer = Buffer.alloc(0);
    let value = 0;
    at = afterKey;
    if (wire === 0) [value, at] = readVarint(message, at);
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const [length, from] = readVarint(message, at);
      at = from + length;
      content = message.subarray(from, at);
    } else throw new Error(`the model has a field of unknown type ${wire}`);
    if (at > message.length) throw new Error('the model is cut off');
    fields.push({ number, bytes: message.subarray(start, at), content, value });
  }
  return fields;
}

function readVarint(buffer: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from; at < from + 10; at++) {
    const byte = buffer[at];
    if (byte === undefined) throw new Error('the model is cut off');
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return [value, at + 1];
  }
  throw new Error('the model has a number of more than ten bytes');
}

function delimited(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}
