import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PrepareError } from './process-spec.ts';
import { isAlive, isRunning, log, quick, scoped, script, working } from './supervisor.fixture.ts';
import { Supervisor } from './supervisor.ts';

describe('Supervisor', () => {
  it('runs the planned children, reports their state, and ends those that are no longer planned', async () => {
    const { plan, until, see } = scoped([script('t/a', working())]);
    const seen = await until('t/a', isRunning);
    expect(seen).toMatchObject({ starts: 1, failures: 0, failure: undefined, wasLive: true });
    expect(seen.progress?.log).toContain('time=00:00:00.');
    plan([]);
    await until('t/a', ({ phase }) => phase === 'idle');
    expect(isAlive(seen.pid)).toBe(false);
    expect(see('t/a')?.lines.some((line) => line.endsWith('started'))).toBe(true);
  });

  it('notifies listeners of starts, failures and ends, with their owner', async () => {
    const supervisor = new Supervisor({ log, timing: quick });
    onTestFinished(() => supervisor.close());
    const heard: string[] = [];
    supervisor.onChange(({ key, what, runsFor, failure }) => heard.push(`${key} ${what} ${runsFor} ${failure?.cause}`));
    let planned = [
      { ...script('t/a', working()), runsFor: 'c1' },
      script('t/b', 'echo "rtmp://h/live/x: Connection refused" >&2; exit 1'),
    ];
    const scope = supervisor.scope('t', async () => planned);
    await vi.waitFor(() => expect(heard).toContain('t/a started c1 undefined'));
    await vi.waitFor(() => expect(heard).toContain('t/b failed undefined connection-refused'));
    planned = [];
    scope.wake();
    await vi.waitFor(() => expect(heard).toContain('t/a ended c1 undefined'));
    expect(heard.filter((each) => each.startsWith('t/b')).every((each) => each.includes('failed'))).toBe(true);
  });

  it('leaves children with an unchanged plan alone, and plans once for many wakes', async () => {
    const { scope, plan, until, plans } = scoped([script('t/a', working())]);
    const { pid } = await until('t/a', isRunning);
    const before = plans();
    for (let n = 0; n < 50; n++) plan([script('t/a', working())]);
    await scope.settled();
    expect(plans() - before).toBeLessThanOrEqual(2);
    expect(await until('t/a', isRunning)).toMatchObject({ pid, starts: 1 });
  });

  it('replaces a planned secret by a ticket for one start, hides the secret from process lists, and does not restart for a new ticket', async () => {
    let count = 0;
    const supervisor = new Supervisor({
      log,
      timing: quick,
      exchange: (text) => text.replaceAll('the-token', `ticket-${count}`),
    });
    onTestFinished(() => supervisor.close());
    const planned = [{ ...script('t/a', `: the-token; ${working()}`), secrets: ['the-token'] }];
    const scope = supervisor.scope('t', async () => planned);
    await vi.waitFor(() => expect(scope.observe('t/a')?.phase).toBe('running'));
    const { pid } = scope.observe('t/a') ?? {};
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    expect([command.includes('the-token'), command.includes('ticket-0')]).toEqual([false, true]);
    count += 1;
    scope.wake();
    await scope.settled();
    expect(scope.observe('t/a')).toMatchObject({ pid, starts: 1 });
  });

  it('replaces a child whose plan changed, after the old child has ended', async () => {
    const slowToEnd = `trap 'sleep 0.3; exit 0' TERM; ${working()}`;
    const { plan, until, see } = scoped([script('t/a', slowToEnd)]);
    const { pid: old } = await until('t/a', isRunning);
    plan([script('t/a', working(90))]);
    await until('t/a', ({ phase }) => phase === 'stopping');
    expect(isAlive(old)).toBe(true);
    await until('t/a', ({ starts }) => starts === 2);
    expect(isAlive(old)).toBe(false);
    await until('t/a', isRunning);
    expect(see('t/a')?.failures).toBe(0);
  });

  it('retries a failing child with growing delays, while others continue, and reports the cause', async () => {
    const broken = script('t/broken', 'echo "rtmp://h/live/hush: Connection refused" >&2; exit 1', {
      secrets: ['hush'],
    });
    const { until } = scoped([broken, script('t/well', working())], { firstPauseMs: 100 });
    const { pid } = await until('t/well', isRunning);
    const pauses: number[] = [];
    for (let failures = 1; failures <= 3; failures++) {
      const seen = await until('t/broken', (now) => now.failures === failures && now.phase === 'backing-off');
      expect(seen.failure).toMatchObject({
        cause: 'connection-refused',
        detail: 'rtmp://h/live/[hidden]: Connection refused',
      });
      pauses.push((seen.nextTryAt?.getTime() ?? 0) - seen.since.getTime());
    }
    expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0);
    expect(pauses[2]).toBeGreaterThan(pauses[1] ?? 0);
    expect(await until('t/well', isRunning)).toMatchObject({ pid, starts: 1 });
  });

  it('plans again before a retry, and forgets failures after a healthy run', async () => {
    const { plan, until, plans } = scoped([script('t/a', 'exit 3')], { healthyMs: 300 });
    await until('t/a', ({ failures }) => failures >= 2);
    expect(plans()).toBeGreaterThan(1);
    const lucky = `test -e "$0" && exec sh -c '${working().replaceAll("'", `'\\''`)}'; exit 3`;
    plan([{ key: 't/a', command: 'sh', args: ['-c', lucky, `/proc/${process.pid}/stat`] }]);
    await until('t/a', (now) => isRunning(now) && now.failures === 0 && now.failure === undefined);
  });

  it('starts at once and resets the failures when a child runs for another purpose', async () => {
    const spec = (runsFor: string) => script('t/a', 'exit 1', { runsFor });
    const { plan, until, see } = scoped([spec('first')], { firstPauseMs: 600_000, longestPauseMs: 600_000 });
    await until('t/a', ({ phase }) => phase === 'backing-off');
    plan([spec('first')]);
    expect(see('t/a')?.starts).toBe(1);
    plan([spec('second')]);
    await until('t/a', ({ starts, phase }) => starts === 2 && phase === 'backing-off');
    expect(see('t/a')).toMatchObject({ failures: 1 });
    plan([]);
    await until('t/a', ({ phase }) => phase === 'idle');
    plan([spec('second')]);
    await until('t/a', ({ starts }) => starts === 3);
  });

  it('keeps running children when a plan fails, and plans again by itself', async () => {
    const { failPlans, until, plans } = scoped([script('t/a', working())]);
    const { pid } = await until('t/a', isRunning);
    const before = plans();
    failPlans();
    await vi.waitFor(() => expect(plans() - before).toBeGreaterThan(2));
    expect(await until('t/a', isRunning)).toMatchObject({ pid, starts: 1 });
  });

  it('gives up a plan that never completes', async () => {
    let plans = 0;
    const supervisor = new Supervisor({ log, timing: { ...quick, planMs: 20 } });
    onTestFinished(() => supervisor.close());
    supervisor.scope('t', () => {
      plans += 1;
      return plans < 3 ? new Promise(() => undefined) : Promise.resolve([script('t/a', working())]);
    });
    await vi.waitFor(() => expect(supervisor.observe('t/a')?.phase).toBe('running'));
  });

  it('treats arguments that no program can receive as a failure, and does not repeat them', async () => {
    const { until, see } = scoped([script('t/a', 'a secret\0')]);
    await until('t/a', ({ failures }) => failures >= 2);
    expect(see('t/a')?.failure?.cause).toBe('address-invalid');
    expect(JSON.stringify(see('t/a'))).not.toContain('a secret');
  });

  it('restarts a child at once on request and after its longest run, without counting a failure', async () => {
    const { scope, until } = scoped([script('t/a', working()), script('t/long', working(), { longestMs: 500 })], {
      firstPauseMs: 600_000,
      longestPauseMs: 600_000,
    });
    await until('t/a', isRunning);
    scope.restart('t/a');
    await until('t/a', (now) => now.starts === 2 && isRunning(now));
    expect(await until('t/long', ({ starts }) => starts >= 3)).toMatchObject({ failures: 0, failure: undefined });
    scope.restart('t/nobody');
  });

  it('prepares each start anew, and treats a refusal as a failure with its cause', async () => {
    let asked = 0;
    const prepare = async () => {
      asked += 1;
      if (asked === 1) throw new PrepareError('address-forbidden', 'it leads elsewhere');
      return { args: ['-c', `cat /dev/fd/3 >&2; ${working()}`], hidden: 'a secret of its own' };
    };
    const { scope, until, see } = scoped([script('t/a', 'exit 1', { prepare })]);
    const { failure } = await until('t/a', ({ failures }) => failures === 1);
    expect(failure).toMatchObject({ cause: 'address-forbidden', detail: 'it leads elsewhere' });
    const { pid } = await until('t/a', isRunning);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('secret');
    expect(see('t/a')?.lines.join('\n')).toContain('a secret of its own');
    scope.restart('t/a');
    await until('t/a', (now) => now.starts === 3 && isRunning(now));
    expect(asked).toBe(3);
  });

  it('does not start a child that is no longer planned after its preparation', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const prepare = async () => {
      await promise;
      return { args: ['-c', working()] };
    };
    const { plan, until, see, scope } = scoped([script('t/a', '', { prepare })]);
    await until('t/a', ({ phase }) => phase === 'starting');
    plan([]);
    await scope.settled();
    resolve();
    await new Promise(setImmediate);
    expect(see('t/a')).toMatchObject({ phase: 'idle', pid: undefined });
  });

  it('gives the output of each run to a consumer of its own, and reads reports from another descriptor', async () => {
    const runs: string[] = [];
    const output = () => {
      const at = runs.push('') - 1;
      return (chunk: Buffer) => {
        runs[at] += chunk.toString();
      };
    };
    const text = `printf media; (${working()}) >&4 & sleep 0.4; kill $!; printf ' more'; exit 1`;
    const { until } = scoped([script('t/a', text, { output })]);
    const { progress } = await until('t/a', ({ progress }) => progress !== undefined);
    expect(progress?.mediaMs).toBeGreaterThan(0);
    await until('t/a', ({ starts }) => starts === 3);
    expect(runs.slice(0, 2)).toEqual(['media more', 'media more']);
  });

  it('starts nothing more once it is closed, and leaves no child', async () => {
    const { supervisor, scope, until, see } = scoped([script('t/deaf', `trap '' TERM; ${working()}`)], {
      graceMs: 100,
    });
    const { pid } = await until('t/deaf', isRunning);
    await supervisor.close();
    expect(isAlive(pid)).toBe(false);
    scope.wake();
    expect(see('t/deaf')?.phase).toBe('idle');
  });
});
