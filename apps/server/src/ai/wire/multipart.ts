import { randomUUID } from 'node:crypto';

interface FilePart {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A form as `multipart/form-data` (RFC 7578). Names and types are ours; values may be anything. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: FilePart,
): { type: string; body: Uint8Array } {
  // Nobody who writes a value can know it.
  const boundary = `weir-${randomUUID()}`;
  const open = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${open(`name="${name}"`)}\r\n${value}\r\n`);
  const head = `${open(`name="file"; filename="${file.name}"`)}content-type: ${file.type}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + head), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
