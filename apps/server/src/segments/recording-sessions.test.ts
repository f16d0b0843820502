import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { only, segment, sessionsHome } from './recording-sessions.fixture.ts';
import { RecordingSessions } from './recording-sessions.ts';

describe('recording sessions of segments', () => {
  it('are one per stream, also when segments of two streams alternate', async () => {
    const { start, told, logOf } = sessionsHome();
    const sessions = await start();
    for (const sequence of [1, 2, 3]) {
      await Promise.all([
        sessions.take(segment(sequence)),
        sessions.take(segment(sequence + 40, { stream: 'b', clientId: 'd' })),
      ]);
    }
    const open = sessions.open.toSorted((one, other) => one.stream.localeCompare(other.stream));
    expect(open.map(({ stream, totals }) => [stream, totals.segments, totals.discontinuities])).toEqual([
      ['a', 3, 0],
      ['b', 3, 0],
    ]);
    const logs = await Promise.all(open.map(logOf));
    expect(logs.map((log) => log.map(({ sequence }) => sequence))).toEqual([
      [1, 2, 3],
      [41, 42, 43],
    ]);
    expect(told.filter((word) => word.startsWith('begin')).sort()).toEqual(['begin a', 'begin b']);
  });

  it('run one operation at a time within a stream, in the order of the calls', async () => {
    const { start, told, hold } = sessionsHome();
    const sessions = await start();
    await sessions.take(segment(1));
    const { uuid } = only(sessions);
    const letGo = hold();
    const slow = sessions.take(segment(2));
    const ended = sessions.end(uuid, 'asked');
    const next = sessions.take(segment(3));
    await new Promise(setImmediate);
    expect(told).toEqual(['begin a', 'keep a 1']);
    expect(await sessions.end('unknown', 'asked')).toBe(false);
    letGo();
    await Promise.all([slow, ended, next]);
    expect(told.slice(2)).toEqual(['keep a 2', 'ended a 2 asked', 'begin a', 'keep a 3']);
  });

  it('report a discontinuity after a gap, where the engine marks one, and otherwise at another publisher', async () => {
    const { start, told } = sessionsHome();
    const sessions = await start();
    await sessions.take(segment(1, { isDiscontinuity: true }));
    await sessions.take(segment(3));
    await sessions.take(segment(4, { isDiscontinuity: true }));
    await sessions.take(segment(5, { clientId: 'd', isDiscontinuity: undefined }));
    await sessions.take(segment(6, { clientId: 'd', isDiscontinuity: undefined }));
    expect(told.filter((word) => word.startsWith('seam'))).toEqual(['seam a 3', 'seam a 4', 'seam a 5']);
    expect(only(sessions).totals).toEqual({ segments: 5, durationMs: 10_000, bytes: 500, discontinuities: 3 });
  });

  it('accept a segment once, however often it is offered, and mark one that comes late', async () => {
    const { start, told, logOf } = sessionsHome();
    const sessions = await start();
    const twice = segment(1);
    for (const each of [twice, twice, segment(3), segment(2)]) await sessions.take(each);
    expect((await logOf(only(sessions))).map(({ sequence, isDiscontinuity }) => [sequence, isDiscontinuity])).toEqual([
      [1, false],
      [3, true],
      [2, true],
    ]);
    expect(told.filter((word) => word === 'keep a 1')).toHaveLength(1);
  });

  it('end after silence, measured on the monotonic clock', async () => {
    const { start, told, clock } = sessionsHome();
    const sessions = await start();
    await sessions.take(segment(1));
    clock.setMs = 365 * 24 * 3600_000;
    clock.nowMs += 299_000;
    await sessions.endSilent(300_000);
    expect(sessions.open).toHaveLength(1);
    await sessions.take(segment(2));
    clock.setMs = -clock.setMs;
    clock.nowMs += 299_000;
    await sessions.endSilent(300_000);
    expect(sessions.open).toHaveLength(1);
    clock.nowMs += 1000;
    await sessions.endSilent(300_000);
    expect(sessions.open).toEqual([]);
    expect(told.at(-1)).toBe('ended a 2 silent');
  });

  it('continue when a segment comes while their end is queued', async () => {
    const { start, clock, hold } = sessionsHome();
    const sessions = await start();
    await sessions.take(segment(1));
    clock.nowMs += 300_000;
    const letGo = hold();
    const taken = sessions.take(segment(2));
    const ended = sessions.endSilent(300_000);
    letGo();
    await Promise.all([taken, ended]);
    expect(only(sessions).totals.segments).toBe(2);
  });

  it('request nothing for a stream that is not selected', async () => {
    const { start, wishes, told } = sessionsHome();
    const sessions = await start();
    wishes.isWanted = false;
    await sessions.take(segment(1));
    expect([told, sessions.open]).toEqual([[], []]);
  });
});

describe('after a kill', () => {
  it('a session continues without repeated or lost segments and without a discontinuity', async () => {
    const { start, told, rows, logOf } = sessionsHome();
    const before = await start();
    const both = [segment(1), segment(2)];
    for (const each of both) await before.take(each);
    const after = await start();
    for (const each of [...both, segment(3)]) await after.take(each);
    expect(told).toEqual(['begin a', 'keep a 1', 'keep a 2', 'resumed a old 2', 'keep a 3']);
    expect(rows.size).toBe(1);
    expect((await logOf(only(after))).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(only(after).totals).toMatchObject({ segments: 3, durationMs: 6000, discontinuities: 0 });
  });

  it('half a line at the end of the log is ignored, and its segment is accepted again', async () => {
    const { start, owner, logOf } = sessionsHome();
    const before = await start();
    await before.take(segment(1));
    const torn = segment(2);
    appendFileSync(owner.logFile(only(before).uuid), `${torn.id} 2 20`);
    const after = await start();
    await after.take(torn);
    expect((await logOf(only(after))).map(({ tsid, sequence }) => [tsid === torn.id, sequence])).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });

  it('a segment waits until the earlier sessions are loaded', async () => {
    const { start, owner, told } = sessionsHome();
    await (await start()).take(segment(1));
    const after = new RecordingSessions(owner, systemClock);
    const taken = after.take(segment(2));
    await new Promise(setImmediate);
    expect(told.at(-1)).toBe('keep a 1');
    await after.resume({ open: [], ended: [] });
    await taken;
    expect(told.at(-1)).toBe('keep a 2');
  });

  it('silence is counted from the last segment of the previous process', async () => {
    const { start, clock, told } = sessionsHome();
    await (await start()).take(segment(1));
    clock.nowMs += 200_000;
    const after = await start();
    await after.endSilent(300_000);
    expect(after.open).toHaveLength(1);
    clock.nowMs += 100_000;
    await after.endSilent(300_000);
    expect(told.at(-1)).toBe('ended a 1 silent');
  });

  it('the last segment of a session that ended is not added to the next', async () => {
    const { start, told } = sessionsHome();
    const before = await start();
    const last = segment(1);
    await before.take(last);
    await before.end(only(before).uuid, 'asked');
    const after = await start();
    await after.take(last);
    expect([after.open, told.at(-1)]).toEqual([[], 'ended a 1 asked']);
    await after.take(segment(2));
    expect(only(after).totals.segments).toBe(1);
  });
});

describe('a failure of a recording session', () => {
  it('at its start leaves nothing behind, and the next segment tries again', async () => {
    const { start, faults, told, rows, directory } = sessionsHome();
    const sessions = await start();
    faults.begin = true;
    await expect(sessions.take(segment(1))).rejects.toThrow('begin failed');
    expect([sessions.open, rows.size, readdirSync(join(directory, 'logs'))]).toEqual([[], 0, []]);
    faults.begin = false;
    await sessions.take(segment(2));
    expect(told).toEqual(['failed a 1', 'begin a', 'keep a 2']);
  });

  it('at a segment is reported, and the session continues with a discontinuity', async () => {
    const { start, faults, told } = sessionsHome();
    const sessions = await start();
    await sessions.take(segment(1));
    faults.keep = true;
    await expect(sessions.take(segment(2))).rejects.toThrow('keep failed');
    faults.keep = false;
    await sessions.take(segment(3));
    expect(told.slice(-3)).toEqual(['failed a 2', 'keep a 3', 'seam a 3']);
  });

  it('at its end keeps the session open until it can be ended', async () => {
    const { start, faults, told } = sessionsHome();
    const sessions = await start();
    await sessions.take(segment(1));
    const { uuid } = only(sessions);
    faults.end = true;
    await expect(sessions.end(uuid, 'stopped')).rejects.toThrow('end failed');
    expect(only(sessions).uuid).toBe(uuid);
    faults.end = false;
    expect(await sessions.end(uuid, 'stopped')).toBe(true);
    expect(await sessions.end(uuid, 'stopped')).toBe(false);
    expect(told.at(-1)).toBe('ended a 1 stopped');
  });

  it('leaves no session without a segment', async () => {
    const { start, wishes, rows, directory } = sessionsHome();
    const sessions = await start();
    wishes.hasRoom = false;
    await sessions.take(segment(1));
    const { uuid } = only(sessions);
    expect(readFileSync(join(directory, 'logs', `${uuid}.log`), 'utf8')).toContain('"stream":"a"');
    await sessions.end(uuid, 'asked');
    expect([rows.size, readdirSync(join(directory, 'logs'))]).toEqual([0, []]);
  });
});
