import { readdirSync } from 'node:fs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { quietLog } from '../../../../quiet-log.fixture.ts';
import { DtlsContext } from './dtls/dtls-context.ts';
import { NativeContext } from './native/native-context.ts';
import { OwnPeer } from './own-peer.fixture.ts';
import { OwnPort } from './own-port.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const together = 20;

it('five hundred peers that come and go leave no memory, descriptors or routes behind', async () => {
  const bench = await NativeContext.load();
  const port = await OwnPort.open({ host: '127.0.0.1', port: 0 }, quietLog);
  const context = new DtlsContext(bench);
  const comeAndGo = async (count: number) => {
    for (let gone = 0; gone < count; gone += together) {
      const peers = await Promise.all(Array.from({ length: together }, () => OwnPeer.open(port, context)));
      await Promise.all(peers.map((peer) => peer.connect()));
      for (const peer of peers) peer.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    // Uncollected garbage is no leak.
    collect();
    // V8 makes room for more young objects as it sees fit: counted is what it uses, and what is not its own.
    const { used_heap_size: used, total_physical_size: held } = getHeapStatistics();
    return {
      usedMb: used / 2 ** 20,
      nativeMb: (process.memoryUsage.rss() - held) / 2 ** 20,
      descriptors: readdirSync('/proc/self/fd').length,
    };
  };
  const before = await comeAndGo(200);
  const after = await comeAndGo(500);
  expect(port.held).toEqual({ transports: 0, routes: 0 });
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
  expect(after.usedMb - before.usedMb).toBeLessThan(2);
  expect(after.nativeMb - before.nativeMb).toBeLessThan(10);
  expect(bench.arena.isIntact).toBe(true);
  port.close();
  context.close();
}, 120_000);
