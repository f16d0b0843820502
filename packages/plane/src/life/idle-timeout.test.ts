import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleTimeout } from './idle-timeout.ts';

/** Blocks the process, as when the machine stands still. */
function freeze(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('IdleTimeout', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('fires once, after its whole time of silence, and leaves no timer', () => {
    const onOver = vi.fn();
    const patience = new IdleTimeout(8000, onOver);
    vi.advanceTimersByTime(5000);
    patience.refresh();
    vi.advanceTimersByTime(7999);
    expect(onOver).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onOver).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not fire after its end', () => {
    const onOver = vi.fn();
    const patience = new IdleTimeout(8000, onOver);
    patience.end();
    patience.end();
    vi.advanceTimersByTime(20_000);
    expect(onOver).not.toHaveBeenCalled();
  });
});

it('F24: reads the bytes that came while this process was suspended before it times a peer out', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  const { promise: over, resolve: giveUp } = Promise.withResolvers<'given up'>();
  const { promise: read, resolve: hear } = Promise.withResolvers<'heard'>();
  server.on('connection', (socket) => {
    const patience = new IdleTimeout(400, () => giveUp('given up'));
    socket.on('data', () => hear('heard')).on('close', () => patience.end());
    // From here timers are due before sockets are read, as after a stop of the process.
    setImmediate(() => {
      peer.write('a byte');
      freeze(1200);
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const peer = connect((server.address() as { port: number }).port, '127.0.0.1');
  expect(await Promise.race([over, read])).toBe('heard');
  peer.destroy();
  server.close();
});
