import type { IncomingMessage } from 'node:http';
import { AiHttpError, badRequest } from './ai-http-error.ts';

const withinMs = 60_000;

/** Reads a body within limits of size and time. */
async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => request.destroy(), withinMs);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new AiHttpError(413, 'too_large', `The request is larger than ${mostBytes} bytes.`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks);
}

export async function readJson(request: IncomingMessage, mostBytes: number): Promise<Record<string, unknown>> {
  const text = (await readBody(request, mostBytes)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('The body must be a JSON object.');
  return value as Record<string, unknown>;
}

interface Form {
  readonly file: Buffer;
  /** Text field; empty if missing. */
  text(name: string): string;
}

/** Reads a multipart form with one file. */
export async function readForm(request: IncomingMessage, mostBytes: number): Promise<Form> {
  const type = request.headers['content-type'] ?? '';
  const body = await readBody(request, mostBytes);
  const form = await parseForm(type, body);
  const file = form.get('file');
  if (!(file instanceof Blob)) throw badRequest('The form has no file.');
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return { file: Buffer.from(await file.arrayBuffer()), text };
}

async function parseForm(type: string, body: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    throw badRequest('The body must be multipart/form-data.');
  }
}
