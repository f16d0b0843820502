import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActiveStream, Diagnosis } from '@weir/contract';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { toBroadcast } from '../../timeline-store/broadcast-row.ts';
import { Timeline } from '../../timeline-store/timeline.ts';
import { BroadcastSampler } from './broadcast-sampler.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const live: ActiveStream = { ...place, server_id: '', client_id: 'c1', update: '' };

it.each([
  [['good', 'good', 'bad', 'good', 'good'], 'good'],
  [['good', 'bad', 'bad', 'good', 'good'], 'bad'],
  [['ok', 'bad', 'ok', 'bad', 'ok'], 'ok'],
  [['none', 'bad'], 'bad'],
] as const)(
  'checks that find a broadcast %s give it the verdict %s, because one moment does not decide',
  async (verdicts, verdict) => {
    let nowMs = Date.UTC(2026, 0, 1);
    const clock = { ...systemClock, dateMs: () => nowMs, elapsedMs: () => nowMs };
    const log = createLog('test', 'error');
    const file = join(mkdtempSync(join(tmpdir(), 'weir-recorder-')), 'timeline.db');
    const timeline = new Timeline({
      place: { file, isShared: false },
      hidden: { hide: (text: string) => text },
      log,
      clock,
    });
    onTestFinished(() => timeline.close());
    let next: Diagnosis['verdict'] = 'none';
    const judge = async () => ({ diagnosis: { verdict: next, issues: [] } });
    const recorder = new BroadcastSampler({ timeline, streams: { list: async () => [live] }, judge, clock, log });
    timeline.begin(place, 'c1', { what: 'publisher-connected' });
    await recorder.look();
    for (const each of verdicts) {
      nowMs += 5000;
      next = each;
      await recorder.look();
    }
    const row = timeline.file.newestOf(place);
    expect(row && toBroadcast(row, nowMs).verdict).toBe(verdict);
  },
);
