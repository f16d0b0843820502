import { describe, expect, it } from 'vitest';
import { PendingSessions, type Waiting } from './pending-sessions.ts';

/** Lets somebody in as the sessions do; false when there is no room. */
function enter(room: PendingSessions<Waiting>, address: string, nowMs: number): boolean {
  const { hasRoom, leaving } = room.makeRoom(address, nowMs);
  if (leaving) room.leave(leaving);
  if (hasRoom) room.enter({ address, sinceMs: nowMs });
  return hasRoom;
}

const fill = (room: PendingSessions<Waiting>, count: number, addressOf: (n: number) => string, nowMs = 0) =>
  Array.from({ length: count }, (_, n) => enter(room, addressOf(n), nowMs)).filter(Boolean).length;

describe('PendingSessions', () => {
  it('S41: holds at most forty of one network, a /64 of IPv6', () => {
    const room = new PendingSessions();
    expect(fill(room, 100, () => '192.0.2.1')).toBe(40);
    expect(fill(room, 100, (n) => `2001:db8::${n.toString(16)}`)).toBe(40);
    expect(room.size).toBe(80);
  });

  it('S41: accepts others when eight addresses fill it', () => {
    const room = new PendingSessions();
    fill(room, 1000, (n) => `198.51.100.${n % 8}`);
    expect(room.size).toBe(300);
    expect(fill(room, 50, (n) => `203.0.${n}.7`)).toBe(50);
    expect(room.size).toBe(300);
    expect(room.makeRoom('203.1.1.7', 0).leaving?.address).toMatch(/^198/);
  });

  it('S41: evicts sessions of many networks of one region before those of others', () => {
    const room = new PendingSessions<Waiting>();
    fill(room, 20, (n) => `203.${n}.113.7`);
    fill(room, 2000, (n) => `2001:db8:0:${n.toString(16)}::1`);
    expect(room.size).toBe(300);
    expect(fill(room, 100, (n) => `192.${n}.2.1`)).toBe(100);
    expect(room.makeRoom('192.0.2.1', 0).leaving?.address).toMatch(/^2001/);
  });

  it('keeps sessions for their time when no network has many, and evicts them afterwards', () => {
    const room = new PendingSessions();
    fill(room, 300, (n) => `203.${n % 250}.113.${n}`);
    expect(fill(room, 10, (n) => `192.${n}.2.1`, 1000)).toBe(0);
    expect(fill(room, 10, (n) => `192.${n}.2.1`, 4000)).toBe(10);
  });

  it('shortens the time limit as the number of sessions grows', () => {
    const room = new PendingSessions();
    const patient = room.patienceMs;
    fill(room, 200, (n) => `203.${n}.113.7`);
    expect(room.patienceMs).toBeLessThan(patient);
  });
});
