import { MalformedMedia } from '../../frame.ts';

export interface Amf0Object {
  [key: string]: Amf0Value;
}
export type Amf0Value = number | boolean | string | null | undefined | Date | Amf0Value[] | Amf0Object | Amf0EcmaArray;

/** Asks the encoder for an ECMA array, the form `onMetaData` has in every FLV file. Decoding yields plain objects. */
export class Amf0EcmaArray {
  readonly values: Amf0Object;
  constructor(values: Amf0Object) {
    this.values = values;
  }
}

interface Amf0Limits {
  readonly maxDepth: number;
  readonly maxValues: number;
  readonly maxStringBytes: number;
}

/** Well formed, but in a form (AMF3) that Weir does not read: the message is skipped, the connection lives. */
export class UnsupportedAmf3 extends MalformedMedia {}

const defaultLimits: Amf0Limits = { maxDepth: 16, maxValues: 2000, maxStringBytes: 65_536 };

const marker = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  reference: 7,
  ecmaArray: 8,
  objectEnd: 9,
  strictArray: 10,
  date: 11,
  longString: 12,
  unsupported: 13,
  xml: 15,
  typedObject: 16,
  amf3: 17,
} as const;

/** Every value of a message, in order. */
export function decodeAmf0(bytes: Buffer, limits: Partial<Amf0Limits> = {}): Amf0Value[] {
  const decoder = new Amf0Decoder(bytes, { ...defaultLimits, ...limits });
  const values: Amf0Value[] = [];
  while (!decoder.isAtEnd) values.push(decoder.readValue(0));
  return values;
}

class Amf0Decoder {
  readonly #bytes: Buffer;
  readonly #limits: Amf0Limits;
  #offset = 0;
  #count = 0;

  constructor(bytes: Buffer, limits: Amf0Limits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  readValue(depth: number): Amf0Value {
    if (depth > this.#limits.maxDepth) throw new MalformedMedia('AMF0 values are nested too deeply');
    this.#count += 1;
    if (this.#count > this.#limits.maxValues) throw new MalformedMedia('AMF0 message has too many values');
    const kind = this.#bytes.readUInt8(this.#advance(1));
    switch (kind) {
      case marker.number:
        return this.#bytes.readDoubleBE(this.#advance(8));
      case marker.boolean:
        return this.#bytes.readUInt8(this.#advance(1)) !== 0;
      case marker.string:
        return this.#readText(this.#bytes.readUInt16BE(this.#advance(2)));
      case marker.longString:
      case marker.xml:
        return this.#readText(this.#bytes.readUInt32BE(this.#advance(4)));
      case marker.typedObject:
        this.#readText(this.#bytes.readUInt16BE(this.#advance(2)));
        return this.#readProperties(depth);
      case marker.ecmaArray:
        // The count is a hint only: writers leave it 0, and the end marker decides.
        this.#advance(4);
        return this.#readProperties(depth);
      case marker.object:
        return this.#readProperties(depth);
      case marker.strictArray:
        return this.#readArray(depth);
      case marker.date: {
        const at = this.#advance(10);
        return new Date(this.#bytes.readDoubleBE(at));
      }
      case marker.null:
        return null;
      case marker.reference:
        this.#advance(2);
        return undefined;
      case marker.undefined:
      case marker.unsupported:
        return undefined;
      case marker.amf3:
        throw new UnsupportedAmf3('AMF3 value in an AMF0 message');
      default:
        throw new MalformedMedia(`unknown AMF0 marker ${kind}`);
    }
  }

  #readProperties(depth: number): Amf0Object {
    // No prototype, so that a key named __proto__ is a key like any other.
    const result: Amf0Object = Object.create(null);
    // Some hardware encoders leave out the end marker of the last object, so the end of the message ends it too.
    while (!this.isAtEnd) {
      const key = this.#readText(this.#bytes.readUInt16BE(this.#advance(2)));
      if (key === '' && this.#bytes[this.#offset] === marker.objectEnd) {
        this.#offset += 1;
        break;
      }
      result[key] = this.readValue(depth + 1);
    }
    return result;
  }

  #readArray(depth: number): Amf0Value[] {
    const length = this.#bytes.readUInt32BE(this.#advance(4));
    if (length > this.#limits.maxValues) throw new MalformedMedia('AMF0 array is too long');
    const items: Amf0Value[] = [];
    for (let index = 0; index < length; index += 1) items.push(this.readValue(depth + 1));
    return items;
  }

  #readText(length: number): string {
    if (length > this.#limits.maxStringBytes) throw new MalformedMedia('AMF0 string is too long');
    const start = this.#advance(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  /** Moves over `length` bytes and says where they start. */
  #advance(length: number): number {
    const start = this.#offset;
    if (this.#bytes.length - start < length) throw new MalformedMedia('AMF0 message ends inside a value');
    this.#offset = start + length;
    return start;
  }
}

const objectEnd = Buffer.from([0, 0, marker.objectEnd]);

export function encodeAmf0(values: readonly Amf0Value[]): Buffer {
  const parts: Buffer[] = [];
  for (const value of values) encodeValue(value, parts);
  return Buffer.concat(parts);
}

function encodeValue(value: Amf0Value, parts: Buffer[]): void {
  if (value === undefined) parts.push(Buffer.from([marker.undefined]));
  else if (value === null) parts.push(Buffer.from([marker.null]));
  else if (typeof value === 'boolean') parts.push(Buffer.from([marker.boolean, value ? 1 : 0]));
  else if (typeof value === 'number') parts.push(encodeNumber(marker.number, value, 9));
  else if (typeof value === 'string') encodeText(value, parts);
  else if (value instanceof Date) parts.push(encodeNumber(marker.date, value.getTime(), 11));
  else if (Array.isArray(value)) {
    parts.push(encodeCount(marker.strictArray, value.length));
    for (const item of value) encodeValue(item, parts);
  } else if (value instanceof Amf0EcmaArray) {
    parts.push(encodeCount(marker.ecmaArray, Object.keys(value.values).length));
    encodeProperties(value.values, parts);
  } else {
    parts.push(Buffer.from([marker.object]));
    encodeProperties(value, parts);
  }
}

function encodeProperties(values: Amf0Object, parts: Buffer[]): void {
  for (const [key, value] of Object.entries(values)) {
    const text = Buffer.from(key);
    // Bytes that are no text grow threefold when they are read as such, and a key has no longer form.
    if (text.length > 0xffff) continue;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(text.length);
    parts.push(length, text);
    encodeValue(value, parts);
  }
  parts.push(objectEnd);
}

function encodeNumber(kind: number, value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt8(kind);
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

function encodeText(value: string, parts: Buffer[]): void {
  const text = Buffer.from(value);
  if (text.length > 0xffff) {
    parts.push(encodeCount(marker.longString, text.length), text);
    return;
  }
  const head = Buffer.alloc(3);
  head.writeUInt8(marker.string);
  head.writeUInt16BE(text.length, 1);
  parts.push(head, text);
}

function encodeCount(kind: number, count: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind);
  head.writeUInt32BE(count, 1);
  return head;
}
