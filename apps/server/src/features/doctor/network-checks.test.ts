import { once } from 'node:events';
import { createServer } from 'node:net';
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
  const { run } = openDoctor({}, { WEIR_RTMP_LISTEN: `127.0.0.1:${port}`, RTMP_PORT: port });
  expect((await run()).get('rtmp')).toMatchObject({ verdict: 'ok', reason: 'rtmp.local', facts: { port } });
  greeting.bytes = Buffer.from('SSH-2.0-OpenSSH\r\n');
  expect((await run()).get('rtmp')).toMatchObject({ verdict: 'bad', reason: 'rtmp.failed' });
});

it('tells a container that it needs a candidate, and one whose name cannot be resolved', async () => {
  const container = openDoctor({}, { PLATFORM_DOCKER: 'on', NAME_LOOKUP: 'off' });
  expect((await container.run()).get('candidate')).toMatchObject({ verdict: 'bad', reason: 'candidate.container' });
  const wrong = openDoctor({}, { CANDIDATE: 'no-such-host.invalid' });
  expect((await wrong.run()).get('candidate')?.reason).toBe('candidate.unresolved');
  const address = openDoctor({}, { CANDIDATE: '203.0.113.7' });
  expect((await address.run()).get('candidate')).toMatchObject({
    verdict: 'ok',
    reason: 'candidate.set',
    facts: { addresses: '203.0.113.7' },
  });
});
