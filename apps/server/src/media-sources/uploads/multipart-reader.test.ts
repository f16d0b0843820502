import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readMultipart } from './multipart-reader.ts';

const boundaryXx = 'multipart/form-data; boundary=XX';

/** File names and content of the parts, which are read as one. */
async function read(body: string, cuts: readonly number[] = [], contentType: string | undefined = boundaryXx) {
  const bytes = Buffer.from(body, 'latin1');
  const ends = [...cuts, bytes.length];
  const chunks = ends.map((to, n) => bytes.subarray(n === 0 ? 0 : ends[n - 1], to));
  const names: (string | undefined)[] = [];
  let content = '';
  const parts = readMultipart({ body: Readable.from(chunks), contentType, assertName: (name) => names.push(name) });
  for await (const chunk of parts) content += chunk.toString('latin1');
  return { names, content };
}

async function drain(parts: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of parts);
}

const part = (name: string, content: string) =>
  `--XX\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: video/mp4\r\n\r\n${content}\r\n`;
const content = 'one\r\n--X\r\n--XY\r\n-\r\n\r\n--X';

describe('a multipart body', () => {
  it('is read the same wherever it is split', async () => {
    const body = `${part('a.mp4', content)}${part('b.mp4', '')}--XX--\r\n`;
    const whole = { names: ['a.mp4', 'b.mp4'], content };
    for (let first = 0; first <= body.length; first++) expect(await read(body, [first])).toEqual(whole);
    expect(await read(body, [...Array(body.length).keys()])).toEqual(whole);
  });

  it('may arrive in one piece, however large', async () => {
    const film = 'film '.repeat(2 ** 20);
    expect((await read(`${part('a.mp4', film)}--XX--`)).content).toBe(film);
  });

  it('may have text before and after its parts', async () => {
    expect(await read(`hello\r\n${part('a.mp4', 'x')}--XX--\r\nbye`)).toEqual({ names: ['a.mp4'], content: 'x' });
  });

  it.each([
    ['in a part', part('a.mp4', 'x')],
    ['in a header', part('a.mp4', 'x').slice(0, 40)],
    ['before a part', 'hello'],
  ])('is incomplete if it breaks off %s', async (_where, body) => {
    await expect(read(body)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: 'the request body is incomplete',
    });
  });

  it.each([
    ['quotes of a browser', 'a%22b.mp4', 'a"b.mp4'],
    ['quotes of curl', 'a\\"b.mp4', 'a"b.mp4'],
    ['percent signs', '100%25.mp4', '100%25.mp4'],
    ['a path', '../a.mp4', '../a.mp4'],
    ['letters of UTF-8', Buffer.from('Мой.mp4').toString('latin1'), 'Мой.mp4'],
  ])('has names with %s', async (_what, written, name) => {
    expect((await read(`${part(written, 'x')}--XX--`)).names).toEqual([name]);
  });

  it('has no name for a field that is not a file', async () => {
    expect((await read('--XX\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n--XX--')).names).toEqual([
      undefined,
    ]);
  });

  it.each([
    ['a header that never ends', '--XX\r\n', 'a: b\r\n'],
    ['endless text before its first part', '', 'hello\r\n'],
    ['endless parts without content', '', part('a.mp4', '')],
  ])('is refused with %s, before much of it is read', async (_what, head, repeated) => {
    let chunks = 0;
    async function* endless() {
      yield Buffer.from(head);
      for (; ; chunks++) yield Buffer.from(repeated.repeat(1000));
    }
    const body = Readable.from(endless());
    const parts = readMultipart({ body, contentType: boundaryXx, assertName: () => undefined });
    await expect(drain(parts)).rejects.toThrow('too long');
    expect(chunks * repeated.length * 1000).toBeLessThan(2 ** 20);
    expect(body.destroyed).toBe(true);
  });

  it('is read only as fast as its content is used', async () => {
    let sent = 0;
    async function* film() {
      yield Buffer.from(part('a.mp4', '').slice(0, -2));
      for (; sent < 64 * 2 ** 20; sent += 2 ** 16) yield Buffer.alloc(2 ** 16);
    }
    const parts = readMultipart({ body: Readable.from(film()), contentType: boundaryXx, assertName: () => undefined });
    await parts.next();
    for (let turn = 0; turn < 1000; turn++) await setImmediate();
    expect(sent).toBeLessThan(4 * 2 ** 20);
    await parts.return(undefined);
  });

  it('ends its connection when its name is refused, or its content is no longer wanted', async () => {
    const bodies = [new PassThrough(), new PassThrough()] as const;
    for (const body of bodies) body.write(part('a.mp4', 'x'.repeat(2 ** 20)));
    const refuse = () => {
      throw new Error('refused');
    };
    const refused = readMultipart({ body: bodies[0], contentType: boundaryXx, assertName: refuse });
    await expect(drain(refused)).rejects.toThrow('refused');
    const unwanted = readMultipart({ body: bodies[1], contentType: boundaryXx, assertName: () => undefined });
    await unwanted.next();
    await unwanted.return(undefined);
    await expect.poll(() => bodies.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('fails with the fault of its connection, also while a part is read', async () => {
    const body = new PassThrough();
    body.write(part('a.mp4', 'x'.repeat(1000)));
    const parts = readMultipart({ body, contentType: boundaryXx, assertName: () => undefined });
    await parts.next();
    body.destroy();
    await expect(drain(parts)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it.each([
    ['multipart/form-data; charset=utf-8; boundary="XX"', true],
    ['application/json', false],
    ['application/x-www-form-urlencoded', false],
    ['multipart/form-data', false],
    ['multipart/form-data; boundary=', false],
    ['', false],
  ])('of type %j is accepted: %s', async (type, isAccepted) => {
    const reading = read(`${part('a.mp4', 'x')}--XX--`, [], type);
    if (isAccepted) expect((await reading).content).toBe('x');
    else await expect(reading).rejects.toThrow('must be multipart/form-data');
  });
});
