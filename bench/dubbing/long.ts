import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInterpreter } from '../../apps/server/src/features/dubbing/interpreter.fixture.ts';
import { Live } from '../../tests/media/fixtures/live.fixture.ts';
import type { BenchResult } from '../results.ts';
import { dubbed, makeFilm, startDubbing } from './project.ts';
import { scroll } from './scroll.ts';

/** A sentence each so many seconds. */
const everySeconds = 3.6;
const roundSeconds = 36;
/** Some sentences repeat, as in real videos. */
const differentSentences = 40;

/** Cost of a long video in the control plane, and scrolling in its studio. */
export async function long(result: BenchResult, isQuick: boolean): Promise<void> {
  const rounds = isQuick ? 10 : 200;
  const seconds = rounds * roundSeconds;
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-dubbing-'));
  const [provider, live] = await Promise.all([startInterpreter(), Live.start()]);
  try {
    const path = join(directory, 'long.mp4');
    const loud = `between(mod(t,${everySeconds}),0.5,2.5)`;
    await makeFilm({ path, rounds, loud, seconds: roundSeconds, rate: 5, bright: '0' });
    let count = 0;
    const hears = provider.hearsIn;
    provider.hearsIn = (pcm) =>
      (hears?.(pcm) ?? []).map((piece) => ({ ...piece, text: `Sentence ${count++ % differentSentences} is said.` }));
    await live.post('/terraform/v1/mgmt/openai/update', {
      aiSecretKey: 'sk-0123456789abcdef',
      aiBaseURL: provider.baseURL,
    });
    const memory = new MemoryWatch(live);
    const uuid = await startDubbing(live, path);
    const beganMs = performance.now();
    const task = await dubbed(live, uuid);
    const tookSeconds = (performance.now() - beganMs) / 1000;
    const groups = task.asr_response?.groups.length ?? 0;
    const whole = JSON.stringify(task).length / 1024;
    const { data } = await live.post('/terraform/v1/dubbing/task-query', { uuid, task: uuid, since: task.cursor });
    const unchangedKb = Number((JSON.stringify(data).length / 1024).toFixed(1));
    result.add(
      {
        hours: seconds / 3600,
        groups,
        tookSeconds,
        grownMb: memory.grownMb(),
        wholeAnswerKb: Math.round(whole),
        unchangedKb,
      },
      `${(seconds / 3600).toFixed(1)} h of film, ${groups} groups, dubbed in ${tookSeconds.toFixed(0)} s: the control plane ` +
        `grew by at most ${memory.grownMb()} MB (from ${memory.baseMb} MB); ` +
        `an answer with all groups ${whole.toFixed(0)} KB, one where nothing changed ${unchangedKb} KB`,
    );
    memory.end();
    await scroll(result, live, uuid);
  } finally {
    await Promise.all([live.close(), provider.close()]);
    rmSync(directory, { recursive: true });
  }
}

/** The most that the control plane has taken. */
class MemoryWatch {
  readonly baseMb: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #mostMb = 0;

  constructor(live: Live) {
    const pid = live.weir.pidOf('server');
    const readTask = () => {
      const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      this.#mostMb = Math.max(this.#mostMb, Math.round(Number(kilobytes) / 1024));
    };
    readTask();
    this.baseMb = this.#mostMb;
    this.#timer = setInterval(readTask, 200);
  }

  grownMb(): number {
    return this.#mostMb - this.baseMb;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
