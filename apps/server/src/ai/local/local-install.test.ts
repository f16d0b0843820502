import { describe, expect, it } from 'vitest';
import { createTestAi, silentLog } from '../ai.fixture.ts';
import { type LocalAiFiles, LocalAiInstall } from './local-install.ts';

type Options = Parameters<LocalAiFiles['install']>[0];

/** Files that are installed when the test says so. */
function create() {
  const state = { installed: false, platformSupported: true, bytes: 0, totalBytes: 100, downloadBytes: 80 };
  const further = { ...state, downloadBytes: 50 };
  let options: Options | undefined;
  const work = { done: Promise.withResolvers<void>() };
  const files: LocalAiFiles = {
    state: async (set) => (set === 'basic' ? state : further),
    install: (given) => {
      options = given;
      work.done = Promise.withResolvers<void>();
      given.signal.addEventListener('abort', () => work.done.reject(given.signal.reason));
      return work.done.promise;
    },
    remove: async (set) => void Object.assign(set ? further : state, { installed: false }),
  };
  const { local } = createTestAi();
  const install = new LocalAiInstall({ files, local, log: silentLog });
  return {
    install,
    state,
    further,
    work,
    progress: (doneBytes: number) => options?.onProgress({ file: 'a', step: 'fetch', doneBytes, totalBytes: 80 }),
  };
}

describe('the installation of built-in AI', () => {
  it('runs in the background, reports its progress, and can be removed afterwards', async () => {
    const { install, state, work, progress } = create();
    expect(await install.report()).toMatchObject({ state: 'missing', downloadBytes: 80, progress: null, fault: null });
    await install.start('basic');
    progress(40);
    expect(await install.report()).toMatchObject({ state: 'installing', progress: { doneBytes: 40, totalBytes: 80 } });
    await expect(install.start('basic')).rejects.toThrow('already');
    await expect(install.remove()).rejects.toThrow('cancel the installation first');
    state.installed = true;
    work.done.resolve();
    await expect.poll(() => install.report()).toMatchObject({ state: 'installed', progress: null });
    await install.remove();
    expect(await install.report()).toMatchObject({ state: 'missing' });
  });

  it('adds further models to it, one set at a time, and removes them alone', async () => {
    const { install, state, further, work } = create();
    await expect(install.start('whisper-base')).rejects.toThrow('install built-in AI first');
    state.installed = true;
    await install.start('whisper-base');
    expect(await install.report()).toMatchObject({
      state: 'installed',
      set: 'whisper-base',
      progress: { doneBytes: 0 },
    });
    await expect(install.start('whisper-small')).rejects.toThrow('already');
    further.installed = true;
    work.done.resolve();
    await expect.poll(() => install.report()).toMatchObject({ progress: null, fault: null });
    await install.remove('whisper-base');
    const { sets } = await install.report();
    expect(sets.map((each) => [each.set, each.state])).toEqual([
      ['basic', 'installed'],
      ['whisper-base', 'missing'],
      ['whisper-small', 'missing'],
    ]);
  });

  it('is no failure when it is cancelled, and can be started again', async () => {
    const { install } = create();
    await install.start('basic');
    await install.cancel();
    expect(await install.report()).toMatchObject({ state: 'missing', fault: null });
    await install.start('basic');
    expect(await install.report()).toMatchObject({ state: 'installing' });
    await install.cancel();
  });

  it.each([
    [Object.assign(new Error('x'), { fault: 'no-room' }), 'no-room'],
    [Object.assign(new Error('x'), { fault: 'a new one' }), 'failed'],
    [new TypeError('x'), 'failed'],
  ])('fails with %o and reports %s until the next attempt', async (error, fault) => {
    const { install, work } = create();
    await install.start('basic');
    work.done.reject(error);
    await expect.poll(() => install.report()).toMatchObject({ state: 'missing', fault });
    await install.start('basic');
    expect(await install.report()).toMatchObject({ fault: null });
    await install.cancel();
  });
});
