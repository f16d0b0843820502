import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { segmentViews } from './segment-views.ts';
import { place, TestPipelines } from './transcript-pipeline.fixture.ts';

const open = () => new TestPipelines().start();
const text = (lanes: TestPipelines, queue: 'fix' | 'overlay', at: number) => {
  const row = lanes.lane.queue(queue).at(at);
  return row && segmentViews[queue](row).asr;
};

describe('a transcript lane', () => {
  it('moves segments through its queues, and keeps nine with their files', async () => {
    const lanes = await open();
    await lanes.bring(2);
    expect(lanes.counts).toBe('0 0 2 0');
    await lanes.bring(3);
    expect(lanes.counts).toBe('0 0 2 3');
    await lanes.bring(20);
    expect([lanes.counts, lanes.files.length]).toEqual(['0 0 2 9', 2 + 9 * 2]);
    const [first] = lanes.lane.queue('overlay');
    expect(lanes.files).toContain(`14-org-${first?.id}.ts`);
    expect(lanes.files).toContain(`14-overlay-${first?.id}.ts`);
  });

  it('gives each segment the text that was said in it, also text that spans two', async () => {
    const lanes = await open();
    await lanes.hear(500, 1500, 'one');
    await lanes.hear(1600, 2600, 'both');
    await lanes.bring(2);
    await lanes.hear(2700, 3500, 'late');
    expect([text(lanes, 'fix', 0), text(lanes, 'fix', 1)]).toEqual(['one both', 'both late']);
    const row = lanes.lane.queue('fix')[0];
    expect(row && segmentViews.fix(row)).toMatchObject({
      asrs: [
        { start: 0.5, end: 1.5, text: 'one' },
        { start: 1.6, end: 2, text: 'both' },
      ],
      asrc: 120,
      uca: false,
      tsid: `0-audio-${row?.id}`,
      stsid: `0-org-${row?.id}`,
      duration: 2,
      size: 64_000,
    });
  });

  it('waits for pending recognition, but no longer than video can wait', async () => {
    const lanes = await open();
    lanes.speech = { place, epoch: 'c1', knownUntilMs: 1000, heardUntilMs: 1500 };
    await lanes.bring(1);
    expect(lanes.counts).toBe('0 1 0 0');
    expect(lanes.lane.queue('asr')[0]?.eac).toBe(500);
    lanes.speech = { place, epoch: 'c1', knownUntilMs: 2000, heardUntilMs: 2500 };
    await lanes.rest();
    expect(lanes.counts).toBe('0 0 1 0');
    await lanes.bring(5);
    expect(lanes.counts).toBe('0 5 1 0');
    await lanes.bring(3);
    expect(lanes.counts).toBe('0 6 2 1');
  });

  it('adds text recognised after a segment was put out, for viewers that come to it later', async () => {
    const lanes = await open();
    await lanes.hear(500, 900, 'one');
    await lanes.bring(5);
    expect(text(lanes, 'overlay', 0)).toBe('one');
    const [, second] = lanes.lane.queue('overlay');
    await lanes.hear(1000, 2600, 'late');
    await lanes.hear(1000, 2600, 'late');
    expect([text(lanes, 'overlay', 0), text(lanes, 'overlay', 1)]).toEqual(['one late', 'late']);
    expect(lanes.settled.slice(-2).map(({ texts }) => texts)).toEqual([['one', 'late'], ['late']]);
    expect(lanes.settled.at(-1)?.row.id).toBe(second?.id);
    expect(text(await lanes.again(), 'overlay', 1)).toBe('late');
  });

  it('waits for missed speech in a segment, and puts it before what was said after it', async () => {
    const lanes = await open();
    let isDone = false;
    const looked: number[] = [];
    lanes.missed = {
      catchUp: (rows) => looked.push(...rows.map(({ sequence }) => sequence)),
      isCaughtUp: () => isDone,
    };
    lanes.speech = { place, epoch: 'c1', knownUntilMs: 9000, heardUntilMs: 9000 };
    await lanes.hear(1200, 1900, 'second');
    await lanes.bring(1);
    expect([lanes.counts, looked.includes(0)]).toEqual(['0 1 0 0', true]);
    await lanes.hear(300, 1100, 'first');
    isDone = true;
    await lanes.rest();
    expect([lanes.counts, text(lanes, 'fix', 0)]).toEqual(['0 0 1 0', 'first second']);
    // A new process knows what the earlier one transcribed.
    expect([...(await lanes.again()).lane.understood]).toEqual([['c1', 1900]]);
  });

  it('F07: stores text for a waiting segment at once, because a kill a moment later would lose it', async () => {
    const lanes = await open();
    const [taken, heard] = [lanes.lane.add(lanes.segment()), lanes.hear(500, 1500, 'just now')];
    await taken;
    expect([lanes.counts, text(await lanes.again(), 'fix', 0)]).toEqual(['0 0 1 0', 'just now']);
    await heard;
  });

  it('F03: finds its text also when the clock of the packets has restarted', async () => {
    const lanes = await open();
    const wrapMs = 2 ** 33 / 90;
    lanes.speech = { place, epoch: 'c1', knownUntilMs: wrapMs + 5000, heardUntilMs: wrapMs + 5000 };
    await lanes.hear(wrapMs + 500, wrapMs + 1500, 'a day later');
    await lanes.bring(1);
    expect(text(lanes, 'fix', 0)).toBe('a day later');
    expect(lanes.lane.queue('fix')[0]?.startMs).toBeCloseTo(wrapMs, 0);
  });

  it('keeps what a person cleared or edited, by any of its ids, also across kill -9', async () => {
    const lanes = await open();
    await lanes.hear(100, 900, 'first');
    await lanes.hear(1000, 1900, 'second');
    await lanes.hear(2100, 2900, 'third');
    await lanes.bring(2);
    const [one, two] = lanes.lane.queue('fix').map(({ id }) => id);
    await lanes.lane.edit(`0-audio-${one}`, 1, 'better');
    await lanes.lane.clear(`1-org-${two}`);
    const next = await lanes.again();
    expect(next.lanes.uuid).toBe(lanes.lanes.uuid);
    expect([text(next, 'fix', 0), next.lane.queue('fix')[1]?.isCleared]).toEqual(['first better', true]);
    await next.bring(3);
    expect(next.settled.map(({ texts }) => texts)).toEqual([['first', 'better'], [], []]);
    await expect(next.lane.clear(`0-audio-${one}`)).rejects.toThrow('can no longer be edited');
    await expect(next.lane.edit('../../x', 0, 'x')).rejects.toThrow('can no longer be edited');
  });

  it('edits a whole text, and a cue wherever it is shown', async () => {
    const lanes = await open();
    await lanes.hear(1500, 2500, 'across');
    await lanes.bring(2);
    const [one, two] = lanes.lane.queue('fix').map(({ id }) => id);
    await lanes.lane.edit(`0-audio-${one}`, 0, 'changed');
    expect([text(lanes, 'fix', 0), text(lanes, 'fix', 1)]).toEqual(['changed', 'changed']);
    await lanes.lane.edit(`1-overlay-${two}`, undefined, 'all of it');
    expect(text(lanes, 'fix', 1)).toBe('all of it');
    await expect(lanes.lane.edit(`0-audio-${one}`, 7, 'x')).rejects.toThrow('no such cue');
    // Late speech does not overwrite an edit.
    await lanes.hear(2600, 2900, 'late');
    expect(text(lanes, 'fix', 1)).toBe('all of it');
  });

  it('continues where it was after kill -9, with no segment repeated, lost or left behind', async () => {
    const lanes = await open();
    await lanes.hear(20_100, 21_000, 'before the kill');
    await lanes.bring(9);
    const pending = lanes.segment();
    await lanes.lane.add(pending);
    writeFileSync(join(lanes.directory, 'transcript', '99-overlay-00000000-0000-4000-8000-00000000ffff.ts.tmp'), 'x');
    writeFileSync(join(lanes.directory, 'transcript', '99-org-00000000-0000-4000-8000-00000000ffff.ts'), 'x');
    const next = await lanes.again();
    await next.lane.add(pending);
    await next.bring(1);
    expect(text(next, 'fix', -1)).toBe('before the kill');
    await next.bring(11);
    const numbers = next.lane.queue('overlay').map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 9 }, (_, n) => (numbers[0] ?? 0) + n));
    expect(next.lane.queue('overlay').some(({ isDiscontinuity }) => isDiscontinuity)).toBe(false);
    expect(next.files.filter((name) => name.startsWith('99-'))).toEqual([]);
  });

  it('begins an epoch with another publisher or stream, and never mixes their text', async () => {
    const lanes = await open();
    await lanes.hear(100, 900, 'old');
    await lanes.bring(1);
    await lanes.hear(100, 900, 'new', { epoch: 'c2' });
    await lanes.lane.add(lanes.segment({ sequence: 1, clientId: 'c2' }));
    await lanes.lane.add({
      ...lanes.segment({ sequence: 0 }),
      id: '00000000-0000-4000-8000-0000000000aa',
      clientId: 'c2',
    });
    await lanes.rest();
    const rows = lanes.lane.rows;
    expect(rows.map(({ epoch, isDiscontinuity }) => [epoch, isDiscontinuity])).toEqual([
      [1, false],
      [2, true],
      [2, true],
    ]);
    expect(rows.map(({ cues }) => cues.map((cue) => cue.text).join())).toEqual(['old', '', 'new']);
  });

  it('keeps the first words of the next publisher while segments of the previous one are put out', async () => {
    const lanes = await new TestPipelines().start();
    lanes.speech = { place, epoch: 'c2', knownUntilMs: 10_500, heardUntilMs: 10_500 };
    await lanes.hear(8500, 9000, 'good evening again', { epoch: 'c2' });
    await lanes.bring(4);
    await lanes.lane.add(lanes.segment({ clientId: 'c2' }));
    await lanes.rest();
    lanes.clock.pass(2000);
    await lanes.rest();
    expect(lanes.lane.rows.at(-1)).toMatchObject({ clientId: 'c2', cues: [{ text: 'good evening again' }] });
  });

  it('marks missing segments, and counts them', async () => {
    const lanes = await open();
    await lanes.bring(1);
    const broken = lanes.segment();
    writeFileSync(broken.file, 'no media at all');
    await lanes.lane.add(broken);
    await lanes.bring(1);
    expect(lanes.lane.rows.map(({ sequence, isDiscontinuity }) => [sequence, isDiscontinuity])).toEqual([
      [0, false],
      [2, true],
    ]);
    const [first] = lanes.lane.queue('fix');
    rmSync(join(lanes.directory, 'transcript', `0-org-${first?.id}.ts`));
    await lanes.bring(3);
    expect(lanes.lane.lostSegments).toBe(2);
    expect(lanes.lane.queue('overlay').map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  it('F06: gives up a segment that cannot be put out, and continues', async () => {
    const lanes = await open();
    const { maker } = lanes;
    let failures = 0;
    lanes.maker = {
      make: (row, options) =>
        row.sequence === 0 && ++failures ? Promise.reject(new Error('disk full')) : maker.make(row, options),
    };
    await lanes.bring(6);
    expect([failures, lanes.lane.lostSegments]).toEqual([3, 1]);
    expect(lanes.lane.queue('overlay').map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  it('keeps moving while one segment is encoded for long, and catches up without text', async () => {
    const lanes = await open();
    const { maker } = lanes;
    const slow = Promise.withResolvers<void>();
    const keptUp: boolean[] = [];
    lanes.maker = {
      make: async (row, options) => {
        if (row.sequence === 0) await slow.promise;
        keptUp.push(options.keepUp);
        return maker.make(row, options);
      },
    };
    lanes.isHeld = true;
    await lanes.bring(60);
    expect(lanes.counts).toBe('30 10 10 0');
    expect(lanes.lane.lostSegments).toBe(10);
    slow.resolve();
    lanes.isHeld = false;
    await lanes.rest();
    expect([lanes.counts, keptUp.slice(0, 3)]).toEqual(['0 0 2 9', [false, true, true]]);
    expect(lanes.files).toHaveLength(2 + 9 * 2);
  });

  it('is emptied by a reset, which begins a new task', async () => {
    const lanes = await open();
    await lanes.bring(6);
    const { uuid } = lanes.lanes;
    await lanes.lanes.reset();
    expect(lanes.lanes.uuid).not.toBe(uuid);
    expect([lanes.counts, lanes.files]).toEqual(['0 0 0 0', []]);
    expect((await lanes.again()).lanes.uuid).toBe(lanes.lanes.uuid);
  });

  it('drops segments of an earlier task, and continues counting', async () => {
    const lanes = await open();
    await lanes.bring(5);
    const last = lanes.lane.queue('overlay').at(-1)?.number ?? 0;
    await lanes.lane.stop();
    lanes.clock.pass(120_000);
    await lanes.lane.dropOlder(60_000);
    expect([lanes.counts, lanes.files]).toEqual(['0 0 0 0', []]);
    lanes.lane.start();
    await lanes.bring(3);
    const [first] = lanes.lane.queue('overlay');
    expect([first?.number, first?.isDiscontinuity, first?.epoch]).toEqual([last + 1, true, 2]);
  });

  it('exists for each selected stream, and always for the first', async () => {
    const lanes = await open();
    const stream = lanes.segment();
    expect(lanes.lanes.taking(stream)).toBe(lanes.lane);
    await lanes.lanes.want(['a', 'b', 'c']);
    expect(lanes.lanes.taking(stream)).toBeUndefined();
    const uuids = lanes.lanes.all.map(({ row }) => row.uuid);
    await lanes.lanes.want(['x', 'c']);
    expect(lanes.lanes.all.map(({ row }) => [row.uuid, row.wanted])).toEqual([
      [uuids[0], 'x'],
      [uuids[2], 'c'],
    ]);
    await lanes.lanes.want([]);
    expect((await lanes.again()).lanes.all.map(({ row }) => row.wanted)).toEqual(['']);
  });
});
