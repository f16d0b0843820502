import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { selfSigned } from '../self-signed.fixture.ts';
import { OutgoingClient, type OutgoingPolicy } from './outgoing-client.ts';

export const policy: OutgoingPolicy = {
  ownNetwork: 'typed',
  verifiesTls: true,
  redirects: 0,
  withinMs: 3000,
  answerBytes: 1024,
};

/** A real receiver on loopback that counts who got through. */
export async function listen(answer: RequestListener = (_request, response) => response.end('hello'), tls = false) {
  const seen: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request);
    answer(request, response);
  };
  const server = tls ? createTlsServer(await selfSigned(), listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

/** Names of tests: nothing here asks a real name server. */
const names: Record<string, readonly string[]> = {
  'inside.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['198.51.100.7', '127.0.0.1'],
};
export const client = new OutgoingClient(async (name) => {
  const found = name === 'localhost' ? ['127.0.0.1'] : names[name];
  if (!found) throw new Error('no such name');
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
});

export const ask = (url: string, change: Partial<OutgoingPolicy> = {}) =>
  client.send({ url, method: 'GET' }, { ...policy, ...change });
