/** A box (ISO 14496-12, 4.2): size and type around its parts. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  let size = 8;
  for (const part of parts) size += part.length;
  const out = Buffer.allocUnsafe(size);
  writeBoxHeader(out, 0, size, type);
  let at = 8;
  for (const part of parts) at += part.copy(out, at);
  return out;
}

/** A box that begins with a version and 24 flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer {
  return box(type, u32((version << 24) | flags), ...parts);
}

/** Writes size and type, and returns where the content begins. */
export function writeBoxHeader(out: Buffer, at: number, size: number, type: string): number {
  out.writeUInt32BE(size, at);
  out.write(type, at + 4, 4, 'latin1');
  return at + 8;
}

export function u8(...values: readonly number[]): Buffer {
  return Buffer.from(values);
}

export function u16(...values: readonly number[]): Buffer {
  const out = Buffer.allocUnsafe(values.length * 2);
  for (const [index, value] of values.entries()) out.writeUInt16BE(value & 0xffff, index * 2);
  return out;
}

export function u32(...values: readonly number[]): Buffer {
  const out = Buffer.allocUnsafe(values.length * 4);
  for (const [index, value] of values.entries()) out.writeUInt32BE(value >>> 0, index * 4);
  return out;
}
