import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { quietLog } from '../../../../quiet-log.fixture.ts';
import { DtlsContext } from './dtls/dtls-context.ts';
import { Workbench } from './native/workbench.ts';
import { OwnPeer } from './own-peer.fixture.ts';
import { OwnPort } from './own-port.ts';

const together = 20;

it('a thousand peers that come and go leave neither memory nor descriptors nor ways to them behind', async () => {
  const bench = await Workbench.load();
  const port = await OwnPort.open({ host: '127.0.0.1', port: 0 }, quietLog);
  const context = new DtlsContext(bench);
  const comeAndGo = async (count: number) => {
    for (let gone = 0; gone < count; gone += together) {
      const peers = await Promise.all(Array.from({ length: together }, () => OwnPeer.open(port, context)));
      await Promise.all(peers.map((peer) => peer.connect()));
      for (const peer of peers) peer.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { megabytes: process.memoryUsage.rss() / 2 ** 20, descriptors: readdirSync('/proc/self/fd').length };
  };
  const before = await comeAndGo(400);
  const after = await comeAndGo(1000);
  expect(port.held).toEqual({ transports: 0, routes: 0 });
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
  expect(after.megabytes - before.megabytes).toBeLessThan(10);
  expect(bench.arena.isIntact).toBe(true);
  port.close();
  context.close();
}, 120_000);
