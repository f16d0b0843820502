import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ReadPace } from './read-pace.ts';

async function pair(): Promise<{ client: Socket; server: Socket }> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const [server]: Socket[] = await once(listener, 'connection');
  if (!server) throw new Error('nobody came');
  onTestFinished(() => {
    client.destroy();
    server.destroy();
    listener.close();
  });
  return { client, server };
}

/** Reads as a connection does; returns the sizes of the reads. */
function read(socket: Socket, pace: ReadPace): number[] {
  const sizes: number[] = [];
  pace.add(socket);
  socket.on('data', (chunk: Buffer) => {
    sizes.push(chunk.length);
    pace.took(socket, chunk.length);
  });
  return sizes;
}

const crowd = (pace: ReadPace, size: number) => {
  const socket = connect(1, '127.0.0.1').on('error', () => undefined);
  for (let index = 0; index < size; index++) pace.add(Object.create(socket));
};

it('reads every frame as it arrives while publishers are few', async () => {
  const pace = new ReadPace();
  const { client, server } = await pair();
  const sizes = read(server, pace);
  for (let count = 1; count <= 5; count++) {
    client.write('x');
    await vi.waitFor(() => expect(sizes).toHaveLength(count), { interval: 1 });
  }
  expect(pace.windowMs).toBe(0);
});

it('reads several frames at once when publishers are many, and loses none', async () => {
  const pace = new ReadPace();
  crowd(pace, 299);
  const { client, server } = await pair();
  const sizes = read(server, pace);
  client.setNoDelay(true);
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) {
      client.write('frame');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const received = () => sizes.reduce((sum, size) => sum + size, 0);
  await send(120);
  const known = sizes.length;
  await send(100);
  await vi.waitFor(() => expect(received()).toBe(220 * 5));
  expect(sizes.length - known).toBeLessThan(40);
});

it('reads a standby publisher twenty times a second, and at once when somebody waits for it', async () => {
  const pace = new ReadPace();
  const { client, server } = await pair();
  const sizes = read(server, pace);
  client.setNoDelay(true);
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) {
      client.write('frame');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  // Its rate is known then.
  await send(120);
  pace.setStandby(server, true);
  const known = sizes.length;
  await send(100);
  const received = () => sizes.reduce((sum, size) => sum + size, 0);
  await vi.waitFor(() => expect(received()).toBe(220 * 5));
  expect(sizes.length - known).toBeLessThan(50);
  client.write('last');
  pace.setStandby(server, false);
  const before = sizes.length;
  client.write('again');
  await vi.waitFor(() => expect(received()).toBe(220 * 5 + 9));
  for (let count = 1; count <= 5; count++) {
    client.write('x');
    await vi.waitFor(() => expect(received()).toBe(220 * 5 + 9 + count), { interval: 1 });
  }
  expect(sizes.length - before).toBeGreaterThanOrEqual(5);
});

it('does not slow down a publisher that sends much', async () => {
  const pace = new ReadPace();
  crowd(pace, 299);
  const { client, server } = await pair();
  const sizes = read(server, pace);
  client.setNoDelay(true);
  // 8 Mbit/s, in frames as an encoder sends them, for longer than it takes to know its rate.
  const frames = 60;
  const sent = performance.now();
  for (let count = 0; count < frames; count++) {
    client.write(Buffer.alloc(20_000));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const sentMs = performance.now() - sent;
  await vi.waitFor(() => expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(frames * 20_000));
  expect(performance.now() - sent).toBeLessThan(sentMs + 1000);
});
