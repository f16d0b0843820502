import { once } from 'node:events';
import { Agent, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { StartError } from '@weir/plane';
import { describe, expect, test } from 'vitest';
import { dial, ended, get, openFrontDoor } from './front-door.fixture.ts';

describe('FrontDoor listening', () => {
  test('names the variable that changes a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = { host: '127.0.0.1', port: (other.address() as AddressInfo).port };
    for (const [config, variable] of [
      [{ http: taken }, 'MGMT_LISTEN'],
      [{ https: taken }, 'HTTPS_LISTEN'],
      [{ extraHttp: taken }, 'PLATFORM_LISTEN'],
    ] as const) {
      const failed = openFrontDoor({ config });
      await expect(failed).rejects.toThrow(StartError);
      await expect(failed).rejects.toThrow(new RegExp(`Port ${taken.port} .*${variable}`));
    }
    other.close();
  });

  test('names the variable of an address that this machine does not have', async () => {
    const failed = openFrontDoor({ config: { http: { host: '192.0.2.1', port: 0 } } });
    await expect(failed).rejects.toThrow(/192\.0\.2\.1.*MGMT_LISTEN/);
  });

  test('listens on every address without a host, and shows IPv4 clients by their plain addresses', async () => {
    const config = { http: { host: undefined, port: 0 }, extraHttp: { host: undefined, port: 0 } };
    const { door } = await openFrontDoor({ config }, (req, res) => res.end(req.headers['x-forwarded-for']));
    expect(await get(door.httpPort, '/api/a')).toMatchObject({ text: '127.0.0.1' });
    const [first, second, https] = door.listeners();
    expect(first).toEqual({ protocol: 'http', port: door.httpPort, ready: true, note: '' });
    expect(https).toEqual({ protocol: 'https', port: door.httpsPort, ready: false, note: 'no-certificate' });
    expect(await get(second?.port ?? 0, '/api/a')).toMatchObject({ text: '127.0.0.1' });
  });
});

describe('FrontDoor closing', () => {
  test('lets a running response end and refuses new connections', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    const { door, port } = await openFrontDoor({ limits: { closeMs: 60_000 } }, (_req, res) => {
      res.write('begin,');
      begun.resolve(res);
    });
    const agent = new Agent({ keepAlive: true });
    const running = get(port, '/api/a', { agent });
    const response = await begun.promise;
    const closed = door.close();
    await expect(get(port, '/')).rejects.toThrow('ECONNREFUSED');
    response.end('end');
    expect(await running).toMatchObject({ text: 'begin,end' });
    await closed;
    agent.destroy();
  });

  test('does not wait for a client that hangs in a response, in a handshake or before a request', async () => {
    const { door, port } = await openFrontDoor({ limits: { closeMs: 200 } }, (_req, res) => res.write('begin'));
    const sockets = await Promise.all([dial(port), dial(port), dial(door.httpsPort)]);
    sockets[0].write('GET /api/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(sockets[0], 'data');
    const ends = Promise.all(sockets.map((socket) => ended(socket.resume())));
    // All three stay until they are ended.
    await Promise.all([door.close(), door.close()]);
    await ends;
  });
});
