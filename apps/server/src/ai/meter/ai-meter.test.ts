import { AiLimits } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { silentLog } from '../ai.fixture.ts';
import { aiLimits } from './ai-limits.ts';
import { AiMeter } from './ai-meter.ts';

const call = { feature: 'transcript', host: 'api.example', seconds: 90 } as const;

function create(store = new MemoryStore(), clock = new FakeClock('2026-03-01T12:00:00Z')) {
  return { store, clock, meter: new AiMeter({ store, clock, log: silentLog }) };
}

describe('the AI meter', () => {
  it('counts calls, audio, tokens, errors and delay by feature, host and day', async () => {
    const { meter, clock } = create();
    const first = await meter.begin(call);
    clock.pass(250);
    first.end({ tokens: 12 });
    first.end({ tokens: 99 });
    (await meter.begin(call)).end({ cause: 'timeout' });
    await meter.begin({ feature: 'ocr', host: 'built-in', seconds: 0 });
    const { day, rows } = await meter.today();
    expect(day).toBe('2026-03-01');
    expect(rows).toMatchObject([
      { feature: 'transcript', calls: 2, errors: 1, audioSeconds: 180, tokens: 12, delayMs: 250, lastCause: 'timeout' },
      { feature: 'ocr', host: 'built-in', calls: 1, errors: 0 },
    ]);
  });

  it('lists hosts that have failed for long, until they answer or are not used any more', async () => {
    const { meter, clock } = create();
    const fail = async (count: number, everyMs: number) => {
      for (let n = 0; n < count; n++) {
        (await meter.begin(call)).end({ cause: 'unreachable' });
        clock.pass(everyMs);
      }
    };
    await fail(5, 10_000);
    expect(meter.failing.long).toEqual([]);
    await fail(3, 10_000);
    const since = Date.parse('2026-03-01T12:00:00Z');
    const { feature, host } = call;
    expect(meter.failing.long).toMatchObject([{ feature, host, count: 8, cause: 'unreachable', sinceMs: since }]);
    (await meter.begin(call)).end({ isStopped: true });
    expect(meter.failing.long).toHaveLength(1);
    (await meter.begin(call)).end({});
    expect(meter.failing.long).toEqual([]);
    await fail(3, 40_000);
    expect(meter.failing.long).toHaveLength(1);
    clock.pass(300_000);
    expect(meter.failing.long).toEqual([]);
    await fail(1, 0);
    expect(meter.failing.long).toEqual([]);
    for (const other of [
      { ...call, host: 'built-in' },
      { ...call, feature: 'check' as const },
    ]) {
      for (let n = 0; n < 4; n++, clock.pass(40_000)) (await meter.begin(other)).end({ cause: 'timeout' });
    }
    expect(meter.failing.long).toEqual([]);
  });

  it('writes every few seconds at most, and continues after a kill with what was written', async () => {
    const { meter, clock, store } = create();
    const stop = new AbortController();
    const running = meter.run(stop.signal);
    let writes = 0;
    const rows = store.collection('ai-usage', AiLimits.loose());
    for (let n = 0; n < 10; n++) {
      (await meter.begin(call)).end({});
      if ((await rows.list()).length > 0) writes += 1;
    }
    expect(writes).toBe(0);
    clock.pass(3000);
    await expect.poll(async () => (await create(store, clock).meter.today()).rows[0]?.calls).toBe(10);
    stop.abort();
    await running;
  });

  it('begins a new day at midnight and deletes days after a month', async () => {
    const { meter, clock, store } = create();
    (await meter.begin(call)).end({});
    await meter.flush();
    clock.pass(12 * 3600 * 1000);
    expect((await meter.today()).rows).toEqual([]);
    clock.pass(31 * 24 * 3600 * 1000);
    const stop = new AbortController();
    const running = meter.run(stop.signal);
    clock.pass(3000);
    await expect.poll(async () => (await create(store, clock).meter.history()).length).toBe(0);
    stop.abort();
    await running;
  });

  it('stops a feature at its limit of calls or minutes, but neither other features nor built-in AI', async () => {
    const { meter, store, clock } = create();
    await aiLimits(store).put(AiLimits.parse({ transcript: { minutes: 3 }, ocr: { calls: 1 } }));
    await meter.begin(call);
    await meter.begin(call);
    await expect(meter.begin(call)).rejects.toMatchObject({ cause: 'limit-reached', canRetry: false });
    await meter.begin({ ...call, host: 'built-in' });
    await meter.begin({ ...call, feature: 'ocr' });
    await expect(meter.begin({ ...call, feature: 'ocr', host: 'other.example' })).rejects.toThrow('daily limit');
    await meter.begin({ ...call, feature: 'rooms' });
    clock.pass(12 * 3600 * 1000);
    await meter.begin(call);
  });
});
