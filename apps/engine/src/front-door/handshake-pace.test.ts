import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectSecure } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HandshakePace } from '../http/handshake-pace.ts';
import { installPair, makePair } from '../tls-pair.fixture.ts';
import { ended, openFrontDoor } from './front-door.fixture.ts';

async function listen(limitMs = 10_000) {
  const begun: Socket[] = [];
  const server = createServer((socket) => begun.push(socket.on('error', () => undefined)));
  new HandshakePace(limitMs).install(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const dial = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  onTestFinished(() => {
    for (const socket of begun) socket.destroy();
    server.close();
  });
  return { begun, dial };
}

test('S46: starts a few handshakes at a time when many clients connect at once', async () => {
  const { begun, dial } = await listen();
  const peers = await Promise.all(Array.from({ length: 60 }, () => dial('')));
  for (const peer of peers) peer.write('hello');
  const steps: number[] = [];
  while (begun.length < peers.length) {
    const before = begun.length;
    await setImmediate();
    steps.push(begun.length - before);
  }
  expect(Math.max(...steps)).toBeLessThanOrEqual(8);
});

test('keeps bytes that arrive before their turn, and closes silent connections after the limit', async () => {
  const { begun, dial } = await listen(150);
  const silent = await dial('');
  await dial('hello');
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  expect(String(begun[0]?.read())).toBe('hello');
  await ended(silent.resume());
  expect(begun).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(begun[0]?.destroyed).toBe(false);
});

test('S46: completes many simultaneous handshakes', async () => {
  const { door, dataDir } = await openFrontDoor({ certificatePollMs: 20 });
  await installPair(dataDir, await makePair());
  await vi.waitFor(() => expect(door.listeners().find(({ protocol }) => protocol === 'https')?.ready).toBe(true));
  const sockets = Array.from({ length: 50 }, () =>
    connectSecure({ port: door.httpsPort, host: '127.0.0.1', rejectUnauthorized: false }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'secureConnect')));
});
