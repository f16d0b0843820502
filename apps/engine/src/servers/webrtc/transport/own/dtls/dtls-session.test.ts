import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NativeContext } from '../native/native-context.ts';
import { DtlsContext } from './dtls-context.ts';
import { DtlsSession } from './dtls-session.ts';

let context: DtlsContext;
beforeAll(async () => {
  context = new DtlsContext(await NativeContext.load());
});
afterAll(() => context.close());

type Role = 'client' | 'server';

/** Two ends with a line between them that loses the first datagrams that each of them sends. */
function connect(lost: Record<Role, number>) {
  const sentAt: Record<Role, number[]> = { client: [], server: [] };
  const [algorithm = '', value = ''] = context.fingerprint.split(' ');
  const make = (role: Role, other: Role) =>
    new DtlsSession({
      context,
      role,
      fingerprint: { algorithm, value },
      send: (datagram) => {
        sentAt[role].push(performance.now());
        if (sentAt[role].length > lost[role]) setImmediate(() => ends[other].receive(datagram));
      },
    });
  const ends: Record<Role, DtlsSession> = { client: make('client', 'server'), server: make('server', 'client') };
  const timer = setInterval(() => {
    for (const end of [ends.client, ends.server]) end.onTime();
  }, 5);
  onTestFinished(() => {
    clearInterval(timer);
    for (const end of [ends.client, ends.server]) end.close();
  });
  ends.client.begin();
  return { ends, sentAt };
}

describe('a DTLS handshake', () => {
  it.each([
    ['the client', { client: 3, server: 0 }],
    ['the server', { client: 0, server: 3 }],
    ['both', { client: 2, server: 2 }],
  ])('that loses the first flights of %s completes well within a second and a half', async (_whose, lost) => {
    const beganMs = performance.now();
    const { ends } = connect(lost);
    await vi.waitFor(() => expect([ends.client.state, ends.server.state]).toEqual(['open', 'open']), {
      timeout: 60_000,
      interval: 10,
    });
    expect(performance.now() - beganMs).toBeLessThan(1500);
    expect(ends.client.keys?.ours).toEqual(ends.server.keys?.theirs);
  });

  it('is repeated after 50 ms, then after twice as long each time, up to 1.6 s', async () => {
    const { sentAt } = connect({ client: 1000, server: 1000 });
    await vi.waitFor(() => expect(sentAt.client.length).toBeGreaterThanOrEqual(8), { interval: 50 });
    const waits = sentAt.client.slice(1, 8).map((atMs, index) => atMs - (sentAt.client[index] ?? 0));
    // OpenSSL is content with 15 ms less. A busy machine may be late, but the next wait is counted from there.
    for (const [index, expected] of [50, 100, 200, 400, 800, 1600, 1600].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(expected - 20);
      expect(waits[index]).toBeLessThan(expected + 600);
    }
  });
});
