import { describe, expect, it } from 'vitest';
import { ask, client, listen, policy } from './outgoing-client.fixture.ts';
import { OutgoingClient } from './outgoing-client.ts';

describe('kept connections', () => {
  /** A receiver that counts connections, and how it answers the second question on one. */
  async function listenTwice(second: 'answers' | 'closes') {
    const ports: unknown[] = [];
    const { port } = await listen(({ socket }, response) => {
      const isSecond = ports.includes(socket.remotePort);
      ports.push(socket.remotePort);
      if (isSecond && second === 'closes') socket.destroy();
      else response.end('hello');
    });
    return { port, connections: () => new Set(ports).size };
  }
  const kept = { ...policy, ownNetwork: 'allowed', keepsConnection: true } as const;

  it('are reused by the next request, and only where the caller wants it', async () => {
    const { port, connections } = await listenTwice('answers');
    const url = `http://inside.test:${port}/`;
    for (let n = 0; n < 3; n++) expect((await client.send({ url, method: 'GET' }, kept)).status).toBe(200);
    expect(connections()).toBe(1);
    const { body } = await client.stream({ url, method: 'GET' }, kept, new AbortController().signal);
    for await (const chunk of body) expect(chunk.toString()).toBe('hello');
    expect(connections()).toBe(1);
    await ask(url, { ownNetwork: 'allowed' });
    expect(connections()).toBe(2);
  });

  it('that the other side has closed are replaced without an error', async () => {
    const { port, connections } = await listenTwice('closes');
    const url = `http://127.0.0.1:${port}/`;
    const post = () => client.send({ url, method: 'POST', body: 'x' }, kept);
    expect([(await post()).status, (await post()).status, connections()]).toEqual([200, 200, 2]);
  });

  it('S14: are not reused when the name resolves to another address', async () => {
    const { port, connections } = await listenTwice('answers');
    const meanings = ['127.0.0.1', '127.0.0.1', '169.254.169.254', '127.0.0.2'];
    const fickle = new OutgoingClient(async () => [{ address: meanings.shift() ?? '', family: 4 }]);
    const send = () => fickle.send({ url: `http://fickle.test:${port}/`, method: 'GET' }, kept);
    expect([(await send()).status, (await send()).status, connections()]).toEqual([200, 200, 1]);
    await expect(send()).rejects.toMatchObject({ failure: 'forbidden-address' });
    // The new address has no listener, although a connection to the old one is open.
    await expect(send()).rejects.toMatchObject({ failure: 'no-connection' });
  });
});
