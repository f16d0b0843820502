import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SharedMemory } from '../../delivery/shared-memory.ts';
import { preparedRoomyPiece } from '../../packagers/hls/prepared-pieces.ts';
import { SegmentCache } from '../../packagers/hls/segment-cache.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { DeliveryPool } from '../../workers/delivery/delivery-pool.ts';
import { dial, openFrontDoor } from '../front-door.fixture.ts';

const pieceBytes = 6 * 1024 * 1024 + 1;
/** Content that says of which piece it is. */
const contentOf = (path: string) => Buffer.alloc(pieceBytes, `${path} has six megabytes, `);
const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 10, timeout: 50_000 });

/** Delivery workers of this process. */
function workers(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1').split(' ');
  return children.filter((pid) => pid !== '' && commandOf(pid).includes('delivery-worker')).map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

async function open() {
  const memory = new SharedMemory(quietLog);
  await memory.open();
  const pool = new DeliveryPool({ most: 1, isByLoad: false, memory, log: quietLog, logLevel: 'error' });
  onTestFinished(async () => {
    await pool.close();
    memory.close();
  });
  const pieces = new SegmentCache(undefined, memory);
  const put = (path: string) =>
    pieces.put(path, preparedRoomyPiece(Buffer.concat([Buffer.alloc(1024), contentOf(path)]), 'video/mp2t'));
  for (const path of ['/live/1.ts', '/live/2.ts']) put(path);
  const { port } = await openFrontDoor({
    delivery: pool,
    media: (asked) => {
      const piece = pieces.get(asked.url);
      const text = Buffer.from('no piece');
      if (piece) asked.answerPrepared(piece);
      else asked.answer(200, ['Content-Length', String(text.length)], text);
    },
  });
  /** A client, and the answers that it has whole. */
  const client = async () => {
    const socket = (await dial(port)).on('error', () => undefined);
    let received = Buffer.alloc(0);
    const answers: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n') + 4;
      const length = Number(/Content-Length: (\d+)/.exec(received.toString('latin1', 0, end))?.[1]);
      if (end < 4 || received.length < end + length) return;
      answers.push(received.subarray(end, end + length));
      received = Buffer.from(received.subarray(end + length));
      socket.emit('data', Buffer.alloc(0));
    });
    const ask = (...paths: string[]) =>
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    return { socket, answers, ask };
  };
  /** A client whose large answers come from a worker. */
  const away = async () => {
    const made = await client();
    for (let n = 1; ; n++) {
      made.ask('/live/1.ts');
      await until(() => made.answers.length === n);
      const [worker] = workers();
      if (worker === undefined) continue;
      // What comes while it stands still is from here.
      process.kill(worker, 'SIGSTOP');
      made.ask('/live/1.ts');
      await new Promise((resolve) => setTimeout(resolve, 100));
      const isHere = made.answers.length > n;
      process.kill(worker, 'SIGCONT');
      n += 1;
      await until(() => made.answers.length === n);
      if (!isHere) break;
    }
    made.answers.length = 0;
    return made;
  };
  return { memory, pool, pieces, put, client, away };
}

describe('large answers of a delivery worker', () => {
  it('arrive whole and in order at clients that read at once, late and ask ahead, while their memory stays', async () => {
    const { away, pieces, put, memory } = await open();
    const [quick, late] = [await away(), await away()];
    late.socket.pause();
    late.ask('/live/1.ts');
    quick.ask('/live/1.ts');
    await until(() => quick.answers.length === 1);
    late.ask('/live/none.ts', '/live/2.ts');
    // It leaves the playlist, and another comes into the cache, while one client has it to read.
    pieces.delete('/live/1.ts');
    put('/live/3.ts');
    quick.ask('/live/3.ts');
    await until(() => quick.answers.length === 2);
    late.socket.resume();
    await until(() => late.answers.length === 3);
    expect(late.answers[0]?.equals(contentOf('/live/1.ts'))).toBe(true);
    expect(late.answers[1]?.toString()).toBe('no piece');
    expect(late.answers[2]?.equals(contentOf('/live/2.ts'))).toBe(true);
    expect(quick.answers.map((answer, at) => answer.equals(contentOf(`/live/${at === 0 ? 1 : 3}.ts`)))).toEqual([
      true,
      true,
    ]);
    for (const path of ['/live/2.ts', '/live/3.ts']) pieces.delete(path);
    await until(() => memory.bytes === 0);
  });

  it('are cut off when it is killed; who had no answer under way keeps the connection', async () => {
    const { away, pool, client, memory, pieces } = await open();
    const [idle, busy] = [await away(), await away()];
    busy.socket.pause();
    const { bytesRead } = busy.socket;
    busy.ask('/live/1.ts');
    // In the middle: it has begun, and there is more than the system takes.
    await until(() => busy.socket.bytesRead > bytesRead);
    const [victim = 0] = workers();
    process.kill(victim, 'SIGKILL');
    await until(() => pool.exits.length === 1);
    busy.socket.resume();
    await until(() => busy.socket.closed);
    expect(busy.answers).toEqual([]);
    idle.ask('/live/2.ts');
    const other = await client();
    other.ask('/live/2.ts');
    await until(() => idle.answers.length === 1 && other.answers.length === 1);
    expect(idle.answers[0]?.equals(contentOf('/live/2.ts'))).toBe(true);
    for (const path of ['/live/1.ts', '/live/2.ts']) pieces.delete(path);
    await until(() => memory.bytes === 0);
  });

  it('give memory back of a client that left in the middle', async () => {
    const { away, pieces, memory } = await open();
    const leaving = await away();
    leaving.socket.pause();
    leaving.ask('/live/1.ts');
    await new Promise((resolve) => setTimeout(resolve, 100));
    leaving.socket.destroy();
    for (const path of ['/live/1.ts', '/live/2.ts']) pieces.delete(path);
    await until(() => memory.bytes === 0);
  });
});
