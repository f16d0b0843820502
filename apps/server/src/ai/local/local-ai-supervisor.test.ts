import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { createTestAi, silentLog } from '../ai.fixture.ts';
import { OpenAiWire } from '../wire/openai-wire.ts';
import { LocalAi } from './local-ai.ts';
import { addedBytes, type KeeperTiming, LocalAiSupervisor } from './local-ai-supervisor.ts';
import { localTarget } from './local-target.ts';

const megabyte = 1024 * 1024;
const program = join(import.meta.dirname, 'speaking-child.fixture.mjs');
/** Never: the patience of a test is that of its runner. */
const { signal } = new AbortController();
const speech = { feature: 'transcript', audio: Buffer.from('RIFF'), seconds: 1, language: 'en', signal } as const;
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Built-in AI with a real process; `behaviour` is what that does. */
function create(behaviour = 'well', timing: Partial<KeeperTiming> = {}, clock: Clock = systemClock) {
  const socket = join(mkdtempSync(join(tmpdir(), 'weir-ai-')), 'ai.sock');
  const keeper = new LocalAiSupervisor({
    log: silentLog,
    clock,
    socket,
    modelsDir: behaviour,
    timing,
    command: [process.execPath, program],
  });
  onTestFinished(() => keeper.close());
  const local = new LocalAi({
    keeper,
    wire: new OpenAiWire(localTarget(keeper)),
    isInstalled: async () => true,
    modelsDir: '',
  });
  return { keeper, ...createTestAi({ local }) };
}

describe('built-in AI', () => {
  it('answers where no provider is set, starts with the first call and counts its calls', async () => {
    const { ai, keeper, meter } = create();
    expect(keeper.state()).toMatchObject({ phase: 'stopped', pid: 0 });
    const { text } = await ai.transcribe(speech);
    const { pid, phase } = keeper.state();
    expect([text, phase]).toEqual([`heard by ${pid}`, 'running']);
    expect(getPriority(pid)).toBe(10);
    expect((await ai.transcribe({ ...speech, language: 'en-US' })).text).toBe(text);
    expect((await meter.today()).rows).toMatchObject([{ host: 'built-in', calls: 2, audioSeconds: 2 }]);
    expect(await ai.describe('transcribe', undefined, 'en')).toEqual({ by: 'built-in', host: '', cause: null });
  });

  it('names the calls that it does not support', async () => {
    const { ai } = create();
    await expect(ai.transcribe({ ...speech, language: 'zh' })).rejects.toMatchObject({ cause: 'unsupported-language' });
    expect(await ai.describe('transcribe', undefined, 'de')).toMatchObject({
      by: 'nobody',
      cause: 'unsupported-language',
    });
    expect(await ai.describe('chat')).toMatchObject({ by: 'nobody', cause: 'no-provider' });
  });

  it('answers callers that chose it although a provider is set, and calls that the provider lacks', async () => {
    const { ai, setGlobal } = create();
    await setGlobal('http://127.0.0.1:1/v1');
    const provider = { secretKey: '', baseURL: 'http://built-in/v1', organization: '' };
    expect((await ai.transcribe({ ...speech, provider })).text).toContain('heard by');

    const other = await AiProvider.start();
    onTestFinished(() => other.close());
    other.skills = ['chat'];
    await setGlobal(other.baseURL);
    for (let n = 0; n < 3; n++) expect((await ai.transcribe(speech)).text).toContain('heard by');
    // A missing capability is not requested again.
    expect(other.asked).toHaveLength(1);
    expect(await ai.describe('transcribe')).toMatchObject({ by: 'built-in' });
    expect(await ai.describe('chat')).toMatchObject({ by: 'provider', host: other.host });
  });

  it('is stopped when it is idle for a while, and started again', async () => {
    const clock = new FakeClock();
    const { ai, keeper } = create('well', {}, clock);
    await ai.transcribe(speech);
    const { pid } = keeper.state();
    for (let n = 0; n < 119; n++) clock.pass(5000);
    await ai.transcribe(speech);
    expect(keeper.state().pid).toBe(pid);
    await expect
      .poll(() => {
        clock.pass(60_000);
        return keeper.state().phase;
      })
      .toBe('stopped');
    expect(isAlive(pid)).toBe(false);
    expect((await ai.transcribe(speech)).text).toBe(`heard by ${keeper.state().pid}`);
    expect(keeper.state()).toMatchObject({ starts: 2, failures: 0 });
  });

  it('is replaced when its memory has grown, as soon as no caller waits for it', async () => {
    const { ai, keeper } = create('grows', { tickMs: 50, softBytes: 120 * megabyte });
    const { text } = await ai.transcribe(speech);
    await expect.poll(() => keeper.state().phase).toBe('stopped');
    expect((await ai.transcribe(speech)).text).not.toBe(text);
    expect(keeper.state()).toMatchObject({ starts: 2, failures: 0 });
  });

  it('loads models that the owner added', async () => {
    const modelsDir = join(mkdtempSync(join(tmpdir(), 'weir-models-')), 'grows');
    for (const folder of ['builtin', 'own']) {
      mkdirSync(join(modelsDir, folder), { recursive: true });
      writeFileSync(join(modelsDir, folder, 'model.onnx'), '');
      writeFileSync(join(modelsDir, folder, 'words.txt'), 'no model');
      // Takes no room on the disk.
      truncateSync(join(modelsDir, folder, 'model.onnx'), 100 * megabyte);
    }
    expect(await addedBytes(modelsDir)).toBe(100 * megabyte);
    expect(await addedBytes(join(modelsDir, 'nowhere'))).toBe(0);
    const { ai, keeper } = create(modelsDir, { tickMs: 50, softBytes: 120 * megabyte });
    const { text } = await ai.transcribe(speech);
    // 140 MB so far, and within 320; after the third it is more.
    expect((await ai.transcribe(speech)).text).toBe(text);
    await ai.transcribe(speech);
    await expect.poll(() => keeper.state().phase).toBe('stopped');
    expect(keeper.state()).toMatchObject({ starts: 1, failures: 0 });
  });

  it('answers with a retryable error when it crashes, and is restarted with growing delays', async () => {
    const { ai, keeper } = create('crashes', { firstPauseMs: 50, longestPauseMs: 200 });
    await expect(ai.transcribe(speech)).rejects.toMatchObject({ cause: 'local-failed', canRetry: true });
    await expect.poll(() => keeper.state()).toMatchObject({ failures: 3, starts: 3, lastExit: { signal: 'SIGKILL' } });
  });

  it('is not asked again when it has exited before the exit was reported, so that each retry has a process', async () => {
    const { ai, keeper } = create('crashes-slowly', { firstPauseMs: 50, longestPauseMs: 200 });
    await expect(ai.transcribe(speech)).rejects.toMatchObject({ cause: 'local-failed', canRetry: true });
    expect(keeper.state()).toMatchObject({ failures: 3, starts: 3, lastExit: { signal: 'SIGKILL' } });
  });

  it('reports its last output when it cannot start, and is abandoned when it never gets ready', async () => {
    const dying = create('dies', { firstPauseMs: 60_000, longestPauseMs: 60_000 });
    await expect(dying.ai.transcribe(speech)).rejects.toMatchObject({ cause: 'local-failed' });
    expect(dying.keeper.state()).toMatchObject({
      phase: 'backing-off',
      lastExit: { reason: 'the model cannot be loaded', code: 3 },
    });
    const mute = create('mute', { readyMs: 100, tickMs: 50, firstPauseMs: 60_000, longestPauseMs: 60_000 });
    await expect(mute.ai.transcribe(speech)).rejects.toMatchObject({ cause: 'local-failed' });
    expect(mute.keeper.state().lastExit?.reason).toBe('did not start in time');
  });

  it('releases callers that stop waiting while it hangs', async () => {
    const { ai, keeper } = create('hangs');
    const stop = new AbortController();
    const asked = ai.transcribe({ ...speech, signal: stop.signal });
    await expect.poll(() => keeper.state().phase).toBe('running');
    stop.abort();
    await expect(asked).rejects.toMatchObject({ cause: 'stopped' });
  });

  it('reads Chinese aloud with a voice that speaks Chinese', async () => {
    const { ai } = create();
    expect(Buffer.from(await ai.speak({ feature: 'rooms', text: '你好', format: 'wav', signal })).toString()).toBe(
      'RIFF....WAVE',
    );
  });

  it('detects voices in a signal until the signal ends, and reports when it cannot continue', async () => {
    const { local } = create();
    const call = await local.listen(signal);
    const told: unknown[] = [];
    const reading = (async () => {
      for await (const line of call?.lines ?? []) told.push(line);
    })();
    expect(call?.write(Buffer.alloc(3200))).toBe(true);
    await expect.poll(() => told).toEqual([{ utterance: [0, 1600] }]);
    call?.write(Buffer.alloc(320));
    call?.end();
    await reading;
    expect(told).toHaveLength(2);

    const failing = await create('crashes').local.listen(signal);
    failing?.write(Buffer.alloc(320));
    const lines = (async () => {
      for await (const _line of failing?.lines ?? []);
    })();
    await expect(lines).rejects.toMatchObject({ cause: 'local-failed', canRetry: true });
  });

  it('ends with the server that started it, also when the server is killed', async () => {
    const { ai, keeper } = create();
    await ai.transcribe(speech);
    const { pid } = keeper.state();
    await keeper.close();
    expect(isAlive(pid)).toBe(false);
    await expect(ai.transcribe(speech)).rejects.toMatchObject({ cause: 'stopped' });

    const text = `
      import { createLog } from '@weir/plane';
      import { LocalAiSupervisor } from ${JSON.stringify(join(import.meta.dirname, 'local-ai-supervisor.ts'))};
      import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../../core/clock.ts'))};
      const log = createLog('test', 'error');
      const socket = ${JSON.stringify(join(mkdtempSync(join(tmpdir(), 'weir-ai-')), 'ai.sock'))};
      const command = [process.execPath, ${JSON.stringify(program)}];
      const keeper = new LocalAiSupervisor({ log, clock: systemClock, socket, modelsDir: 'well', command });
      await keeper.lease(new AbortController().signal);
      console.log(keeper.state().pid); setInterval(() => {}, 1000);`;
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', text], {
      cwd: import.meta.dirname,
      stdio: [...stdio],
    });
    let said = '';
    parent.stdout?.on('data', (chunk) => (said += chunk));
    await expect.poll(() => said).toMatch(/\d+\n/);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(Number(said))).toBe(false);
  });
});
