import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { client, listen, policy } from './outgoing-client.fixture.ts';

describe('uploads', () => {
  const body = 'x'.repeat(300_000);
  const upload = (url: string, { bytes = body.length, withinMs = 3000 } = {}) =>
    client.upload({ url, bytes, open: () => Readable.from([Buffer.from(body)]) }, { ...policy, withinMs });

  it('send a body while it is read, with its length', async () => {
    const { port, seen } = await listen(async (request, response) => {
      const got = await text(request);
      response.end(`${request.method} ${request.headers['content-length']} ${got.length}`);
    });
    const answer = await upload(`http://127.0.0.1:${port}/`);
    expect(answer.body.toString()).toBe('PUT 300000 300000');
    expect(seen).toHaveLength(1);
  });

  it('fail when the body has another length than announced', async () => {
    const { port } = await listen((request) => void request.resume());
    await expect(upload(`http://127.0.0.1:${port}/`, { bytes: body.length + 1 })).rejects.toMatchObject({
      failure: 'no-connection',
    });
    await expect(upload(`http://127.0.0.1:${port}/`, { bytes: 10 })).rejects.toMatchObject({
      failure: 'no-connection',
    });
  });

  it('accept a refusal that comes before the body was sent', async () => {
    const { port } = await listen((_request, response) => response.writeHead(403).end('no'));
    expect((await upload(`http://127.0.0.1:${port}/`)).status).toBe(403);
  });

  it('end when no data moves, and connect to no forbidden address', async () => {
    const { port } = await listen(() => undefined);
    await expect(upload(`http://127.0.0.1:${port}/`, { withinMs: 200 })).rejects.toMatchObject({ failure: 'timeout' });
    await expect(upload('http://169.254.169.254/')).rejects.toMatchObject({ failure: 'forbidden-address' });
  });
});
