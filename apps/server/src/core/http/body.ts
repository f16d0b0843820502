import type { Readable } from 'node:stream';
import * as z from 'zod';
import { WeirError } from '../errors.ts';
import { isRecord } from '../json.ts';

/** Reading on a little after the limit lets the sender finish and see the answer instead of a broken connection. */
const drainedBytes = 64 * 1024 * 1024;

/** Reads a body up to a limit. Uses events, because almost every call has a body and async iteration is expensive. */
export function readBody(stream: Readable, limitBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isRead = false;
  // Every stream closes in the end, and an unread error costs as much as the rest. An aborted body is the sender's doing and not logged.
  const cutOff = (cause?: Error) => {
    if (!isRead) reject(new WeirError('invalid_input', 'the request ended before its body was complete', { cause }));
  };
  const giveUp = () => {
    chunks.length = 0;
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  const tooLarge = () => new WeirError('too_large', `the request body is larger than ${limitBytes} bytes`);
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes && !signal?.aborted) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes <= limitBytes + drainedBytes) return;
    reject(tooLarge());
    stream.destroy();
  });
  stream.once('end', () => {
    isRead = true;
    const [first] = chunks;
    if (bytes > limitBytes) reject(tooLarge());
    else if (first && chunks.length === 1) resolve(first);
    else resolve(Buffer.concat(chunks, bytes));
  });
  stream.once('error', cutOff);
  stream.once('close', cutOff);
  // A stream that is already destroyed emits no further event.
  if (stream.destroyed) cutOff();
  return promise;
}

/** Bytes of a request to a plain object. Nothing and `null` mean: all fields absent. */
export function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new WeirError('invalid_input', 'the request body is not valid JSON', { cause });
  }
  if (value === null) return {};
  if (!isRecord(value)) throw new WeirError('invalid_input', 'the request body must be a JSON object');
  return value;
}

/** Checks a body against its schema; the error names the first field that does not fit. */
export function validateBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const input = pickFields(schema, body);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path ?? [];
  const field = path.length === 0 ? 'body' : path.join('.');
  const given = path.reduce<unknown>(
    (value, key) => (Array.isArray(value) ? value[Number(key)] : isRecord(value) ? value[String(key)] : undefined),
    input,
  );
  if (given === undefined || given === '') throw new WeirError('missing_field', `${field} is required`);
  throw new WeirError('invalid_input', `${field}: ${describe(issue)}`);
}

/** Describes a problem in our own words, because the library's message would repeat input of the caller. */
function describe(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}

/**
 * Clients of this API rely on three habits of its reference server: field names match in any case, `null` counts as
 * absent, unknown fields are ignored.
 */
function pickFields(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return pickFields(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => pickFields(schema.element, item));
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return value;
  const names = fieldNamesOf(schema);
  const picked: Record<string, unknown> = {};
  for (const [given, field] of Object.entries(value)) {
    const name = names.get(given.toLowerCase());
    if (name === undefined || field === null) continue;
    // An exact name wins over one that only matches in another case.
    if (name in picked && given !== name) continue;
    picked[name] = pickFields(schema.shape[name], field);
  }
  return picked;
}

const fieldNames = new WeakMap<z.ZodObject, ReadonlyMap<string, string>>();

/** Field names by their lower-case form. */
function fieldNamesOf(schema: z.ZodObject): ReadonlyMap<string, string> {
  let names = fieldNames.get(schema);
  if (!names) {
    names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
    fieldNames.set(schema, names);
  }
  return names;
}
