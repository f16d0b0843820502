import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseJsonBody, readBody, validateBody } from './body.ts';

const Form = z.object({
  name: z.string().min(1).max(5),
  all: z.boolean().default(false),
  kbps: z.int().optional(),
  mode: z.enum(['a', 'b']).optional(),
  inner: z.object({ Deep: z.string() }).optional(),
  files: z.array(z.object({ uuid: z.string() })).default([]),
});

describe('readBody', () => {
  it('returns the sent body, up to its limit', async () => {
    expect(String(await readBody(Readable.from([Buffer.from('ab'), Buffer.from('c')]), 3))).toBe('abc');
    await expect(readBody(Readable.from([Buffer.from('abcd')]), 3)).rejects.toMatchObject({ kind: 'too_large' });
  });

  it('does not wait for a body whose sender is gone, before or while it is read', async () => {
    const gone = new Readable({ read: () => undefined });
    gone.destroy();
    await new Promise((resolve) => gone.once('close', resolve));
    const cutOff = { kind: 'invalid_input', message: 'the request ended before its body was complete' };
    await expect(readBody(gone, 10)).rejects.toMatchObject(cutOff);
    const going = new Readable({ read: () => undefined });
    const reading = readBody(going, 10);
    // Simulates a reset socket.
    going.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject(cutOff);
  });
});

describe('parseJsonBody', () => {
  it('reads an empty body and null as no fields', () => {
    expect(parseJsonBody(Buffer.from(''))).toEqual({});
    expect(parseJsonBody(Buffer.from('null'))).toEqual({});
  });

  it.each(['{', '[1]', '"x"', '12', '{"a":1}x', '\u0000'])('refuses %j as 1004', (text) => {
    expect(() => parseJsonBody(Buffer.from(text))).toThrow(expect.objectContaining({ code: 1004, status: 422 }));
  });
});

describe('validateBody', () => {
  it('ignores unknown fields, the case of names, and null', () => {
    const body = {
      NAME: 'x',
      all: null,
      other: 1,
      inner: { deep: 'y', more: 2 },
      Files: [{ UUID: 'u', size: 1 }],
      __proto__: { mode: 'a' },
    };
    expect(validateBody(Form, body)).toEqual({ name: 'x', all: false, inner: { Deep: 'y' }, files: [{ uuid: 'u' }] });
  });

  it('prefers the field with the exact name', () => {
    expect(validateBody(Form, { name: 'a', Name: 'b' }).name).toBe('a');
    expect(validateBody(Form, { Name: 'b', name: 'a' }).name).toBe('a');
  });

  it.each([
    [{}, 1000, 'name is required'],
    [{ name: '' }, 1000, 'name is required'],
    [{ name: 'x', inner: {} }, 1000, 'inner.Deep is required'],
    [{ name: 7 }, 1004, 'name: must be of type string'],
    [{ name: 'too long' }, 1004, 'name: must be at most 5 characters'],
    [{ name: 'x', all: 'true' }, 1004, 'all: must be of type boolean'],
    [{ name: 'x', kbps: 1.5 }, 1004, 'kbps: must be of type int'],
    [{ name: 'x', kbps: '5' }, 1004, 'kbps: must be of type'],
    [{ name: 'x', mode: 'c' }, 1004, 'mode: must be one of a, b'],
    [{ name: 'x', files: [{ uuid: 7 }] }, 1004, 'files.0.uuid: must be of type string'],
    [{ name: 'x', files: [{}] }, 1000, 'files.0.uuid is required'],
  ])('names the invalid field of %j', (body, code, message) => {
    expect(() => validateBody(Form, body)).toThrow(
      expect.objectContaining({ code, status: 422, message: expect.stringContaining(message) }),
    );
  });
});
