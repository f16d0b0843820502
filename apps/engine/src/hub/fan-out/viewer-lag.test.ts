import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectSecurely, createServer as createSecureServer } from 'node:tls';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadNativeSend } from '../../delivery/native-send.ts';
import { makePair } from '../../tls-pair.fixture.ts';
import { SendQueue } from './send-queue.ts';
import type { Viewer } from './viewer.ts';
import { KernelQueues, readQueues, SendTimes, ViewerLag } from './viewer-lag.ts';

it('finds the age of a byte by its position, as far back as it remembers', () => {
  const times = new SendTimes();
  expect(times.ageOf(0, 1000)).toBe(0);
  // 100 bytes every 40 ms for a minute.
  for (let ms = 0; ms < 60_000; ms += 40) times.mark((ms / 40) * 100, ms);
  const placeAt = (ms: number) => (ms / 40) * 100;
  for (const agoMs of [0, 400, 2000, 8000, 25_000]) {
    const age = times.ageOf(placeAt(60_000 - agoMs), 60_000);
    expect(age).toBeGreaterThanOrEqual(agoMs);
    expect(age).toBeLessThanOrEqual(agoMs + 400);
  }
  expect(times.ageOf(placeAt(1000), 60_000)).toBeLessThan(31_000);
  expect(times.ageOf(-1e9, 60_000)).toBeLessThan(31_000);
});

it('reads the connection queues that Linux lists', () => {
  const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
   0: 0100007F:0CEA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:07E6 0100007F:C350 01 0000C800:00000000 01:00000014 00000000     0        0 2 1 0 20 4 30 10 -1
   2: 0100007F:07E6 0100007F:C351 01 00000000:00000010 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1
   3: 0000000000000000FFFF00000100007F:07E6 0000000000000000FFFF00000200007F:0050 01 00000010:00000000 01:0 0 0 0 4
   4: B80D0120000000000000000001000000:07E6 B80D0120000000000000000002000000:0050 01 00000020:00000000 01:0 0 0 0 5
`;
  expect([...readQueues(text)]).toEqual([
    ['07E6 0100007F:C350', 51_200],
    ['07E6 0200007F:0050', 16],
    ['07E6 B80D0120000000000000000002000000:0050', 32],
  ]);
});

it.runIf(process.platform === 'linux').each(['127.0.0.1', '::1'])(
  'finds the bytes that the system holds for a peer at %s that does not read',
  async (host) => {
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    const peer = connect((server.address() as AddressInfo).port, host).pause();
    const [socket] = (await once(server, 'connection')) as [Socket];
    onTestFinished(() => {
      peer.destroy();
      socket.destroy();
      server.close();
    });
    const queues = new KernelQueues();
    expect(queues.bytesOf(socket)).toBe(0);
    // More than the peer's own buffer takes without being read.
    for (let at = 0; at < 200; at += 1) socket.write(Buffer.alloc(64 * 1024));
    await vi.waitFor(() => expect(queues.bytesOf(socket)).toBeGreaterThan(10_000), { interval: 100 });
  },
);

it.runIf(process.platform === 'linux').each([false, true])(
  'asks the system about the connection of a viewer that does not read (by TLS: %s)',
  async (isSecure) => {
    const server = isSecure ? createSecureServer(await makePair()) : createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const peer = isSecure ? connectSecurely({ port, rejectUnauthorized: false }) : connect(port);
    peer.on('error', () => undefined).pause();
    const [socket] = (await once(server, isSecure ? 'secureConnection' : 'connection')) as [Socket];
    onTestFinished(() => {
      peer.destroy();
      socket.destroy();
      server.close();
    });
    const calls = await loadNativeSend();
    const asked = vi.spyOn(calls, 'unconfirmed');
    const lag = new ViewerLag(() => calls);
    // The queue of this process is left out: only the system's counts.
    const queue = Object.create(SendQueue.prototype, { waiting: { value: 0 } }) as SendQueue;
    const viewer = { socket, queue } as Viewer;
    await vi.waitFor(() => expect(lag.of(viewer)).toBe(0));
    lag.add(200 * 64 * 1024, performance.now());
    for (let at = 0; at < 200; at += 1) socket.write(Buffer.alloc(64 * 1024));
    await vi.waitFor(() => expect(lag.of(viewer)).toBeGreaterThan(100));
    expect(asked.mock.results.at(-1)?.value).toBeGreaterThan(10_000);
  },
);
