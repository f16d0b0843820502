import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timelineLimits } from '@weir/contract';
import { createLog, SecretRedactor } from '@weir/plane';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../core/clock.fixture.ts';
import { toBroadcast } from './broadcast-row.ts';
import { Timeline } from './timeline.ts';
import type { TimelineLimits } from './timeline-file.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});
const log = createLog('test', 'error');
log.level = 'silent';
const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const other = { ...place, stream: 'other' };
const came = { what: 'publisher-connected', facts: { protocol: 'rtmp', address: '192.0.2.1' } } as const;
const left = { what: 'publisher-left', facts: { reason: 'closed' } } as const;
const minuteMs = 60_000;

let file: string;
let clock: FakeClock;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-timeline-'));
  made.push(folder);
  file = join(folder, 'timeline.db');
  clock = new FakeClock('2026-03-01T08:00:00Z');
});

function open(limits: Partial<TimelineLimits> = {}, hidden = new SecretRedactor()) {
  const timeline = new Timeline({
    place: { file, isShared: false },
    hidden,
    log,
    clock,
    limits: { ...timelineLimits, ...limits },
  });
  onTestFinished(() => timeline.close());
  const newest = (of = place) => {
    const row = timeline.file.newestOf(of);
    return row && toBroadcast(row, clock.dateMs());
  };
  const whats = (of = place) => timeline.file.entries(newest(of)?.id ?? 0, 1000).map(({ what }) => what);
  return { timeline, newest, whats };
}

describe('a timeline', () => {
  it('keeps a broadcast with its events, after it ended as well', () => {
    const { timeline, newest, whats } = open();
    expect([newest(), timeline.running()]).toEqual([undefined, []]);
    timeline.note(place, { what: 'viewers-reached', facts: { viewers: '10' } });
    timeline.noteEarly(place, { what: 'publisher-refused', facts: { reason: 'secret-wrong' } });
    clock.pass(1000);
    timeline.begin(place, 'c1', came);
    timeline.begin(other, 'c2', came);
    timeline.noteAll({ what: 'setting-changed', facts: { area: 'hls' } });
    timeline.noteClient('c1', { what: 'process-failed', facts: { process: 'forward/wx', cause: 'key-refused' } });
    clock.pass(90_000);
    timeline.end(place, 'another client', left);
    timeline.end(place, 'c1', left);
    clock.pass(minuteMs);
    timeline.addRecording(place, 'r1');
    timeline.note(place, { what: 'recording-ended', facts: { recording: 'r1' } });
    expect(whats()).toEqual([
      'recording-ended',
      'publisher-left',
      'process-failed',
      'setting-changed',
      'publisher-connected',
      'publisher-refused',
    ]);
    expect(whats(other)).toEqual(['setting-changed', 'publisher-connected']);
    expect(newest()).toMatchObject({ seconds: 90, recordings: ['r1'], verdict: 'none', entries: 6, leftOut: 0 });
    expect(newest(other)).toMatchObject({ endedAt: '', seconds: 150 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('continues a broadcast whose publisher returns soon, and begins another later', () => {
    const { timeline, newest } = open();
    timeline.begin(place, 'c1', came);
    timeline.end(place, 'c1', left);
    clock.pass(4 * minuteMs);
    timeline.begin(place, 'c2', came);
    expect(newest()).toMatchObject({ id: 1, endedAt: '', entries: 3 });
    timeline.end(place, 'c2', left);
    clock.pass(6 * minuteMs);
    timeline.begin(place, 'c3', came);
    expect(newest()).toMatchObject({ id: 2, entries: 1 });
    const all = { ...place, app: '', stream: '' };
    const ids = (before: number, most: number) => {
      const { broadcasts, hasMore } = timeline.file.list(all, { before, most }, clock.dateMs());
      return [broadcasts.map(({ id }) => id), hasMore];
    };
    expect([ids(0, 1), ids(2, 1), ids(0, 9)]).toEqual([
      [[2], true],
      [[1], false],
      [[2, 1], false],
    ]);
  });

  it('knows after a restart what ran and how long it was not observed', () => {
    const first = open();
    first.timeline.begin(place, 'c1', came);
    first.timeline.begin(other, 'c2', came);
    clock.pass(minuteMs);
    first.timeline.change((each) => each.seen(clock.dateMs()));
    clock.pass(1500);
    // Not closed: as after a kill.
    const { timeline, newest, whats } = open();
    expect(timeline.running()).toMatchObject([{ client: 'c1' }, { client: 'c2', lastSeenMs: clock.dateMs() - 1500 }]);
    timeline.begin(place, 'c1', came);
    expect(whats()).toEqual(['recorder-back', 'publisher-connected']);
    expect(timeline.file.entries(1, 1)).toMatchObject([{ numbers: { seconds: 1.5 } }]);
    timeline.end(other, 'c2', left, clock.dateMs() - 1500);
    expect(newest(other)).toMatchObject({ seconds: 60 });
    timeline.begin(place, 'c1', came);
    expect(whats()).toHaveLength(2);
  });

  it('counts repeated changes instead of listing them', () => {
    const { timeline } = open();
    timeline.begin(place, 'c1', came);
    const verdict = (each: 'good' | 'bad') =>
      ({ what: 'verdict-changed', facts: { verdict: each, issues: '' } }) as const;
    for (let round = 0; round < 50; round += 1) {
      for (const each of ['good', 'bad'] as const) {
        timeline.noteChange(place, verdict(each));
        timeline.noteChange(place, verdict(each));
        clock.pass(5000);
      }
    }
    const entries = timeline.file.entries(1, 1000).filter(({ what }) => what === 'verdict-changed');
    expect(entries).toHaveLength(10);
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    expect(entries.map(({ count }) => count).slice(0, 2)).toEqual([46, 46]);
    clock.pass(11 * minuteMs);
    timeline.noteChange(place, verdict('good'));
    expect(timeline.file.entries(1, 1)).toMatchObject([{ count: 1, until: '', facts: { verdict: 'good' } }]);
  });

  it('is bounded in entries, broadcasts and bytes', () => {
    const { timeline, whats, newest } = open({ entries: 20, firstEntries: 3, broadcasts: 5 });
    timeline.begin(place, 'c1', came);
    for (let number = 0; number < 50; number += 1)
      timeline.note(place, {
        what: 'process-failed',
        facts: { process: `forward/${number}`, cause: 'x'.repeat(5000) },
      });
    const entries = timeline.file.entries(1, 1000);
    expect([entries.length, newest()?.leftOut, whats().at(-1)]).toEqual([20, 31, 'publisher-connected']);
    expect(entries.map(({ facts }) => facts.process).slice(0, 2)).toEqual(['forward/49', 'forward/48']);
    expect(entries[0]?.facts.cause).toHaveLength(timelineLimits.textCharacters);
    for (let number = 0; number < 30; number += 1) {
      const name = { ...place, stream: `s${number}` };
      timeline.begin(name, `c${number}`, came);
      timeline.end(name, `c${number}`, left);
    }
    const all = () => timeline.file.list({ ...place, app: '', stream: '' }, { before: 0, most: 200 }, 0).broadcasts;
    // Running broadcasts are never evicted.
    expect(all().map(({ stream }) => stream)).toEqual(['s29', 's28', 's27', 's26', 'show']);
    expect(timeline.file.entries(2, 1)).toEqual([]);
    timeline.close();
    const small = open({ bytes: 40_000 });
    for (let number = 0; number < 30; number += 1) {
      const name = { ...place, stream: `t${number}` };
      small.timeline.begin(name, `c${number}`, came);
      for (let note = 0; note < 20; note += 1)
        small.timeline.note(name, { what: 'process-failed', facts: { process: `${note}`, cause: 'x'.repeat(300) } });
      small.timeline.end(name, `c${number}`, left);
    }
    small.timeline.begin({ ...place, stream: 'last' }, 'last', came);
    expect(small.timeline.file.bytes()).toBeLessThan(60_000);
  });

  it('writes no secret, and continues when its file is torn or cannot be written', () => {
    const { timeline } = open({}, new SecretRedactor(['the-publish-secret']));
    timeline.begin(place, 'c1', came);
    const detail = 'rtmp://push.example/app/sk_live_98765 the-publish-secret failed';
    timeline.note(place, { what: 'process-failed', facts: { process: 'forward/wx', detail } });
    expect(timeline.file.entries(1, 1)[0]?.facts.detail).toBe('rtmp://push.example [hidden] failed');
    timeline.close();
    const bytes = [file, `${file}-wal`].map((name) => {
      try {
        return readFileSync(name, 'latin1');
      } catch {
        return '';
      }
    });
    expect(bytes.join('')).not.toMatch(/sk_live_98765|the-publish-secret/);
    expect(() => timeline.note(place, left)).not.toThrow();
    writeFileSync(file, Buffer.alloc(9000, 0x5a));
    const { timeline: again, whats } = open();
    again.begin(place, 'c1', came);
    expect(whats()).toEqual(['publisher-connected']);
  });
});
