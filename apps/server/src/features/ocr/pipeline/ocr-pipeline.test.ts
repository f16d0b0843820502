import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AiError } from '../../../ai/ai.ts';
import { TestPipeline } from './ocr-pipeline.fixture.ts';
import { segmentViews } from './segment-views.ts';

const open = () => new TestPipeline().start();

describe('OCR of segments', () => {
  it('takes, reads and reports each, and keeps nine with their files', async () => {
    const ocr = await open();
    await ocr.bring(30);
    expect(ocr.counts).toBe('0 0 0 9');
    expect([ocr.asked.length, ocr.told.length, ocr.kept.length]).toEqual([30, 30, 30]);
    expect(ocr.files).toHaveLength(9 * 2);
    expect(ocr.line.tally).toMatchObject({ taken: 30, called: 30, failed: 0, cause: null });
    const last = ocr.line.queue('cleanup').at(-1);
    expect(last && segmentViews.cleanup(last, (tsid) => `/${tsid}`)).toMatchObject({
      tsid: `29-image-${last?.id}`,
      stsid: `29-org-${last?.id}`,
      seqno: 29,
      duration: 2,
      size: 10,
      epoch: 1,
      url: `ocr/29-image-${last?.id}.jpg`,
      image: `/29-image-${last?.id}`,
      ocr: 'text 30',
      stream: 'live/show',
      outcome: 'called',
      answeredBy: 'built-in',
      eic: 0,
      ocrc: 0,
      cbc: 0,
      at: '2026-01-01T00:00:56.000Z',
    });
  });

  it('does not read an unchanged picture again, and counts them', async () => {
    const ocr = await open();
    ocr.shows = (sequence) => Math.floor(sequence / 5);
    await ocr.bring(20);
    expect(ocr.line.tally).toMatchObject({ taken: 20, called: 4, skipped: { unchanged: 16 } });
    expect([ocr.told.map(({ sequence }) => sequence), ocr.files.length]).toEqual([[0, 5, 10, 15], 8]);
    expect(ocr.line.queue('cleanup').map(({ epoch }) => epoch)).toEqual([1, 1, 1, 1]);
    // Asks a new prompt about the same frame.
    ocr.line.again();
    ocr.shows = () => 3;
    await ocr.bring(1);
    expect(ocr.line.tally.called).toBe(5);
    ocr.config = { ...ocr.config, skipUnchanged: false };
    await ocr.bring(2);
    expect(ocr.line.tally.called).toBe(7);
  });

  it('takes pictures no more often than the interval', async () => {
    const ocr = await open();
    ocr.config = { ...ocr.config, intervalSeconds: 5 };
    await ocr.bring(10);
    expect(ocr.told.map(({ sequence }) => sequence)).toEqual([0, 3, 6, 9]);
    expect(ocr.line.tally.skipped.interval).toBe(6);
  });

  it('takes the next keyframe when a segment begins inside a group of pictures', async () => {
    const ocr = await open();
    ocr.config = { ...ocr.config, intervalSeconds: 3 };
    await ocr.bring(1, { isIndependent: false });
    await ocr.bring(1);
    await ocr.bring(1, { isIndependent: false });
    expect(ocr.told.map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('asks no model when the model is off, and shows the pictures', async () => {
    const ocr = await open();
    ocr.config = { ...ocr.config, aiChatEnabled: false };
    await ocr.bring(3);
    expect([ocr.asked.length, ocr.told.length, ocr.counts]).toEqual([0, 0, '0 0 0 3']);
    expect(ocr.line.tally.skipped.off).toBe(3);
  });

  it('sends a model its earlier answers as context, and drops them with the stream and by reset', async () => {
    const ocr = await open();
    ocr.config = { ...ocr.config, aiChatPrompt: 'What?' };
    await ocr.bring(4);
    const contents = () => ocr.asked.at(-1)?.messages.map(({ content }) => content);
    const rule = 'Keep your answer neat, and within 50 words.';
    expect(contents()).toEqual([rule, 'What?', 'text 2', 'What?', 'text 3']);
    await ocr.bring(1, { clientId: 'c2', stream: 'other' });
    expect(contents()).toEqual([rule]);
    await ocr.bring(1, { clientId: 'c2', stream: 'other' });
    expect(contents()).toHaveLength(3);
    await ocr.line.reset();
    ocr.line.start();
    ocr.config = { ...ocr.config, aiChatMaxWords: 0 };
    await ocr.bring(1, { clientId: 'c2', stream: 'other' });
    expect(contents()).toEqual([]);
  });

  it('F06: asks three times, then shows the failure and continues', async () => {
    const ocr = await open();
    ocr.see = async ({ image }) => {
      if (Buffer.from(image).toString() === 'picture 1') throw new AiError('timeout', 'no answer');
      return 'fine';
    };
    await ocr.bring(6);
    expect(ocr.asked.filter(({ image }) => Buffer.from(image).toString() === 'picture 1')).toHaveLength(3);
    expect(ocr.line.tally).toMatchObject({ taken: 6, called: 5, failed: 1, cause: null });
    expect(ocr.line.queue('cleanup').map(({ outcome, cause }) => [outcome, cause])[1]).toEqual(['failed', 'timeout']);
    expect(ocr.told.map(({ sequence }) => sequence)).toEqual([0, 2, 3, 4, 5]);
    ocr.see = () => Promise.reject(new AiError('bad-key', 'refused'));
    await ocr.bring(1);
    expect([ocr.line.tally.failed, ocr.line.tally.cause, ocr.counts]).toEqual([2, 'bad-key', '0 0 0 7']);
  });

  it('gives up a segment without a picture', async () => {
    const ocr = await open();
    ocr.shows = (sequence) => (sequence < 2 ? Number.NaN : sequence);
    await ocr.bring(9);
    expect([ocr.line.tally.failed, ocr.line.tally.called, ocr.counts]).toEqual([2, 7, '0 0 0 7']);
  });

  it('is bounded while the provider does not answer, and counts what it drops', async () => {
    const ocr = await open();
    const held = Promise.withResolvers<string>();
    ocr.see = () => held.promise;
    await ocr.bring(60);
    expect([ocr.counts, ocr.line.tally.skipped.dropped, ocr.accounted]).toEqual(['30 10 0 0', 20, 60]);
    ocr.see = async () => 'back';
    held.resolve('late');
    await ocr.rest();
    expect([ocr.counts, ocr.line.tally.called, ocr.files.length]).toEqual(['0 0 0 9', 40, 18]);
  });

  it('makes 200 decisions for 200 segments, also after failures', async () => {
    const ocr = await open();
    ocr.shows = (sequence) => (sequence % 17 === 3 ? Number.NaN : Math.floor(sequence / 2));
    ocr.see = async () => {
      if (ocr.asked.length % 5 === 0) throw new AiError(ocr.asked.length % 10 === 0 ? 'bad-answer' : 'refused', 'no');
      return 'text';
    };
    for (let n = 0; n < 200; n++) {
      if (n === 100) ocr.config = { ...ocr.config, intervalSeconds: 4 };
      if (n === 150) ocr.config = { ...ocr.config, intervalSeconds: 0, aiChatEnabled: false };
      await ocr.bring(1);
      expect(ocr.accounted).toBe(n + 1);
    }
    for (let n = 0; n < 5; n++) {
      ocr.clock.pass(4000);
      await ocr.rest();
    }
    const { taken, called, failed, skipped } = ocr.line.tally;
    expect(taken).toBe(200);
    expect(called + failed + skipped.unchanged + skipped.interval + skipped.off + skipped.dropped).toBe(200);
    for (const count of [called, failed, skipped.unchanged, skipped.interval, skipped.off])
      expect(count).toBeGreaterThan(5);
    expect([ocr.told.length, ocr.files.length]).toEqual([called, 18]);
  });

  it('continues where it was after kill -9, with nothing repeated, lost or left behind', async () => {
    const ocr = await open();
    const held = Promise.withResolvers<string>();
    await ocr.bring(2);
    ocr.see = () => held.promise;
    await ocr.bring(3);
    const pending = ocr.segment();
    await ocr.line.add(pending);
    await ocr.rest();
    writeFileSync(join(ocr.directory, 'ocr', '99-image-00000000-0000-4000-8000-00000000ffff.jpg'), 'x');
    writeFileSync(join(ocr.directory, 'ocr', `2-image-${pending.id}.gray.tmp`), 'x');
    const next = await ocr.again();
    expect([next.line.uuid, next.line.place]).toEqual([ocr.line.uuid, ocr.line.place]);
    await next.line.add(pending);
    await next.rest();
    expect([next.counts, next.line.tally.taken, next.line.tally.called]).toEqual(['0 0 0 6', 4, 4]);
    expect(next.told.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5]);
    expect(next.files).toHaveLength(12);
    held.resolve('nobody hears it');
  });

  it('reports a result again under the same id when it was killed before noting the report', async () => {
    const ocr = await open();
    ocr.tell = () => new Promise(() => undefined);
    await ocr.bring(1);
    expect([ocr.counts, ocr.line.queue('callback')[0]?.isTold]).toEqual(['0 0 1 0', false]);
    const next = await ocr.again();
    await next.rest();
    const ids = (rows: readonly { id: string; ocr: string }[]) => rows.map(({ id, ocr }) => `${id} ${ocr}`);
    expect([ids(ocr.kept), ids(next.told), next.counts]).toEqual([ids(next.kept), ids(next.kept), '0 0 0 1']);
    // And nothing more once it is noted.
    const last = await next.again();
    await last.rest();
    expect([last.kept, last.told]).toEqual([[], []]);
  });

  it('shows numbers that add up at any moment', async () => {
    const ocr = await open();
    ocr.shows = (sequence) => Math.floor(sequence / 2);
    let isOver = false;
    const look = async () => {
      for (; !isOver; await new Promise((resolve) => setImmediate(resolve))) {
        const { taken, called, failed, skipped, live, ocr: read } = await ocr.line.numbers();
        expect(called + failed + skipped.unchanged + live + read).toBe(taken);
      }
    };
    const looking = look();
    await ocr.bring(20).finally(() => (isOver = true));
    await looking;
  });

  it('does not repeat a report from before a kill, and retries results that could not be stored', async () => {
    const ocr = await open();
    const tried = Promise.withResolvers<void>();
    ocr.tell = async () => ({ tried: tried.promise });
    await ocr.bring(1);
    expect([ocr.counts, ocr.line.queue('callback')[0]?.isTold]).toEqual(['0 0 1 0', true]);
    const next = await ocr.again();
    let failures = 0;
    next.tell = async () => {
      if (++failures < 5) throw new Error('the store is away');
      return undefined;
    };
    await next.rest();
    expect([next.counts, next.told.length]).toEqual(['0 0 0 1', 0]);
    await next.bring(1);
    for (let n = 0; n < 6; n++) {
      next.clock.pass(40_000);
      await next.rest();
    }
    expect([next.counts, next.told.length, failures, next.line.tally.failed]).toEqual(['0 0 0 2', 1, 5, 0]);
    tried.resolve();
  });

  it('stops during a request, and drops results of an earlier task', async () => {
    const ocr = await open();
    ocr.see = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new AiError('stopped', 'stopped'))));
    await ocr.bring(3);
    await ocr.line.stop();
    expect([ocr.counts, ocr.line.tally.failed]).toEqual(['0 3 0 0', 0]);
    ocr.clock.pass(120_000);
    await ocr.line.dropOlder(60_000);
    expect([ocr.counts, ocr.files, ocr.accounted]).toEqual(['0 0 0 0', [], 3]);
  });

  it('keeps the last result while nothing changes for long', async () => {
    const ocr = await open();
    await ocr.bring(3);
    ocr.clock.pass(3600_000);
    await ocr.line.dropOlder(900_000);
    expect(ocr.counts).toBe('0 0 0 1');
    ocr.shows = () => 2;
    await ocr.bring(1);
    expect(ocr.line.tally).toMatchObject({ called: 3, skipped: { unchanged: 1 } });
  });

  it('skips a picture whose file is gone', async () => {
    const ocr = await open();
    ocr.see = async () => {
      throw new AiError('timeout', 'no answer');
    };
    await ocr.bring(1);
    for (const name of ocr.files.filter((one) => one.endsWith('.jpg'))) rmSync(join(ocr.directory, 'ocr', name));
    for (let n = 0; n < 4; n++) {
      ocr.clock.pass(5000);
      await ocr.rest();
    }
    expect([ocr.files, ocr.counts, ocr.line.tally.cause]).toEqual([[], '0 0 0 0', 'no-picture']);
  });
});
