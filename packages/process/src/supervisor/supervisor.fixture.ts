import { createLog } from '@weir/plane';
import { onTestFinished, vi } from 'vitest';
import type { Observed } from './observed.ts';
import type { ProcessSpec } from './process-spec.ts';
import { Supervisor } from './supervisor.ts';
import type { Timing } from './timing.ts';

export const quick: Partial<Timing> = {
  tickMs: 20,
  startMs: 3000,
  stallMs: 400,
  abnormalMs: 1500,
  firstPauseMs: 60,
  longestPauseMs: 500,
  graceMs: 1000,
  planRetryMs: 20,
};
export const log = createLog('test', 'error');
log.level = 'silent';

/** Reports as ffmpeg does, `pace` milliseconds of media every tenth of a second. */
export const working = (pace = 100) =>
  `n=0; while :; do n=$((n+${pace}000)); printf 'frame=1\\nout_time_us=%s\\nprogress=continue\\n' $n; sleep 0.1; done`;
export const script = (key: string, text: string, more: Partial<ProcessSpec> = {}): ProcessSpec => ({
  key,
  command: 'sh',
  args: ['-c', text],
  ...more,
});

/** A scope `t` whose plan is whatever the test says. */
export function scoped(first: readonly ProcessSpec[], timing: Partial<Timing> = {}) {
  const supervisor = new Supervisor({ log, timing: { ...quick, ...timing } });
  onTestFinished(() => supervisor.close());
  let specs = first;
  let failing = false;
  let plans = 0;
  const scope = supervisor.scope('t', async () => {
    plans += 1;
    if (failing) throw new Error('no plan');
    return specs;
  });
  const see = (key: string) => scope.observe(key);
  return {
    supervisor,
    scope,
    see,
    plans: () => plans,
    plan(next: readonly ProcessSpec[]) {
      specs = next;
      failing = false;
      scope.wake();
    },
    failPlans() {
      failing = true;
      scope.wake();
    },
    until: (key: string, isSo: (seen: Observed) => boolean) =>
      vi.waitFor(
        () => {
          const seen = see(key);
          if (!seen || !isSo(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
          return seen;
        },
        { interval: 10 },
      ),
  };
}

export const isAlive = (pid: number | undefined) => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};
export const isRunning = ({ phase }: Observed) => phase === 'running';
