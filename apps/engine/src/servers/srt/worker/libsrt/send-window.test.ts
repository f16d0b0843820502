import { describe, expect, it } from 'vitest';
import { type SendAccount, SendWindow } from './send-window.ts';

/** A peer that confirms when it is told to. */
function peer({ grants = true, mayStall = true } = {}) {
  const state = { unconfirmed: 0, grown: 0, isStalled: true };
  const account: SendAccount = {
    grow: (bytes) => {
      if (grants) state.grown += bytes;
      return grants;
    },
    stall: () => {
      state.isStalled = true;
      return mayStall;
    },
    resume: () => {
      state.isStalled = false;
    },
  };
  const window = new SendWindow(() => state.unconfirmed, 0);
  window.countOn(account);
  /** Sends until there is no room; returns how many went out. */
  const fill = (nowMs: number, most = Number.POSITIVE_INFINITY) => {
    let sent = 0;
    for (; sent < most && window.hasRoom(nowMs); sent++) {
      state.unconfirmed += 1;
      window.noteSent(nowMs);
    }
    return sent;
  };
  return { window, state, fill };
}

describe('SendWindow', () => {
  it('is one block of libsrt until the peer acknowledges a packet', () => {
    const { fill, state } = peer();
    expect(fill(0)).toBe(32);
    expect(fill(1000)).toBe(0);
    expect(state.grown).toBe(0);
  });

  it('doubles as packets are acknowledged, up to a limit, and counts each block', () => {
    const { fill, state } = peer();
    const rounds = Array.from({ length: 8 }, (_, n) => {
      const sent = fill(n * 10);
      state.unconfirmed = 0;
      return sent;
    });
    expect(rounds.slice(0, 3)).toEqual([32, 64, 128]);
    expect(rounds.at(-1)).toBe(1024);
    expect(state.grown).toBe((1024 - 32) * 1536);
    expect(state.isStalled).toBe(false);
  });

  it('does not grow when there is no memory for more', () => {
    const { fill, state } = peer({ grants: false });
    fill(0);
    state.unconfirmed = 0;
    expect(fill(10)).toBe(32);
  });
});

describe('SendWindow of a peer that stops acknowledging', () => {
  it('reports a stall after a second, and its end with the next acknowledgement', () => {
    const { window, fill, state } = peer();
    fill(0, 10);
    state.unconfirmed = 0;
    expect(window.complaint(600)).toBeUndefined();
    expect(state.isStalled).toBe(false);
    fill(1000, 10);
    expect(window.complaint(2500)).toBeUndefined();
    expect(state.isStalled).toBe(true);
    state.unconfirmed = 5;
    expect(window.complaint(3100)).toBeUndefined();
    expect(state.isStalled).toBe(false);
  });

  it('ends the connection after five seconds, whatever else the peer sends', () => {
    const { window, fill } = peer();
    fill(0, 10);
    expect(window.complaint(4900)).toBeUndefined();
    expect(window.complaint(5100)).toBe('nothing confirmed for 5 s');
  });

  it('ends the connection at once when too many peers of its network are stalled', () => {
    const { window, fill, state } = peer({ mayStall: false });
    fill(0, 10);
    state.unconfirmed = 0;
    window.complaint(600);
    fill(1000, 10);
    expect(window.complaint(2500)).toContain('too many');
  });

  it('reports no stall while there is nothing to acknowledge', () => {
    const { window, fill, state } = peer();
    fill(0, 10);
    state.unconfirmed = 0;
    expect(window.complaint(600)).toBeUndefined();
    expect(window.complaint(60_000)).toBeUndefined();
    fill(60_000, 1);
    expect(window.complaint(60_500)).toBeUndefined();
  });

  it('lets a probe pass twice a second while a peer that confirmed packets before confirms nothing', () => {
    const { window, fill, state } = peer();
    fill(0);
    state.unconfirmed = 0;
    fill(100);
    const grownBefore = state.grown;
    const dueMs = Array.from({ length: 20 }, (_, n) => 100 * (n + 2)).filter((nowMs) => window.isProbeDue(nowMs));
    expect(dueMs).toEqual([600, 1100, 1600, 2100]);
    expect(state.grown - grownBefore).toBe(32 * 1536);
  });

  it('sends no probe to a peer that never confirmed a packet, or without memory for it', () => {
    const silent = peer();
    silent.fill(0);
    expect(silent.window.isProbeDue(3000)).toBe(false);
    const poor = peer({ grants: false });
    poor.fill(0);
    poor.state.unconfirmed = 0;
    poor.fill(100);
    expect(poor.window.isProbeDue(3000)).toBe(false);
  });
});
