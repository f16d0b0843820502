import { once } from 'node:events';
import { createServer } from 'node:net';
import type { EngineHealth } from '@weir/engine-api';
import { expect, it, onTestFinished } from 'vitest';
import { openDoctor } from './doctor.fixture.ts';

it('asks the RTMP port for a handshake, and does not take any open port for RTMP', async () => {
  const greeting = { bytes: Buffer.from([3, 0, 0]) };
  const server = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end(greeting.bytes)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const { run } = openDoctor({ only: ['rtmp'] }, { WEIR_RTMP_LISTEN: `127.0.0.1:${port}`, RTMP_PORT: port });
  expect((await run()).get('rtmp')).toMatchObject({ verdict: 'ok', reason: 'rtmp.local', facts: { port } });
  greeting.bytes = Buffer.from('SSH-2.0-OpenSSH\r\n');
  expect((await run()).get('rtmp')).toMatchObject({ verdict: 'bad', reason: 'rtmp.failed' });
});

it('tells a container that it needs a candidate, and one whose name cannot be resolved', async () => {
  const container = openDoctor({ only: ['candidate'] }, { PLATFORM_DOCKER: 'on', NAME_LOOKUP: 'off' });
  expect((await container.run()).get('candidate')).toMatchObject({ verdict: 'bad', reason: 'candidate.container' });
  const wrong = openDoctor({ only: ['candidate'] }, { CANDIDATE: 'no-such-host.invalid' });
  expect((await wrong.run()).get('candidate')?.reason).toBe('candidate.unresolved');
  const address = openDoctor({ only: ['candidate'] }, { CANDIDATE: '203.0.113.7' });
  expect((await address.run()).get('candidate')).toMatchObject({
    verdict: 'ok',
    reason: 'candidate.set',
    facts: { addresses: '203.0.113.7' },
  });
});

it('takes no port of a process that is starting for a fault, and names a port that another program has', async () => {
  const listeners = (ready: boolean, note: '' | 'port-taken') =>
    [{ protocol: 'rtc', port: 8000, ready, note }] as const;
  const health = (of: () => ReturnType<typeof listeners>) => ({
    health: async () => ({ listeners: of(), workerExits: [] }) as unknown as EngineHealth,
  });
  const starting = openDoctor({ only: ['listening'], mediaServer: health(() => listeners(false, '')) });
  expect((await starting.run()).get('listening')).toMatchObject({ verdict: 'ok', facts: { ports: 'WebRTC 8000' } });
  const taken = openDoctor({ only: ['listening'], mediaServer: health(() => listeners(false, 'port-taken')) });
  expect((await taken.run()).get('listening')).toMatchObject({
    verdict: 'bad',
    reason: 'listening.failed',
    command: "sudo ss -lntup '( sport = :8000 )'",
  });
});
