import { expect, it, vi } from 'vitest';
import { WebRtcConnection } from './webrtc-connection.ts';

const patienceMs = 10_000;

function open() {
  const closed = vi.fn();
  const session = new WebRtcConnection('a', '192.0.2.1', { onOpen: () => undefined, onClosed: closed });
  return {
    session,
    closed,
    tick: (watchedMs: number, nowMs = watchedMs) => session.tick({ nowMs, watchedMs }, patienceMs),
  };
}

it('F24: a session is not timed out for the time in which this process was suspended', () => {
  const { session, closed, tick } = open();
  session.onOpen();
  tick(1000);
  // The machine stood still for a minute: its packets wait to be read.
  tick(1500, 61_000);
  expect(closed).not.toHaveBeenCalled();
  session.onPacket(Buffer.alloc(12), 0);
  tick(9000);
  tick(18_000);
  expect(closed).not.toHaveBeenCalled();
  tick(18_001);
  expect(closed).toHaveBeenCalledOnce();
});

it('F24: the connect timeout does not count the time in which this process was suspended', () => {
  const { closed, tick } = open();
  tick(1000);
  tick(2000, 62_000);
  tick(11_000);
  expect(closed).not.toHaveBeenCalled();
  tick(11_001);
  expect(closed).toHaveBeenCalledOnce();
});
