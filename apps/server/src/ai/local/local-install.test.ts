import { describe, expect, it } from 'vitest';
import { createTestAi, silentLog } from '../ai.fixture.ts';
import { type LocalAiFiles, LocalAiInstall } from './local-install.ts';

type Options = Parameters<LocalAiFiles['install']>[0];

/** Files that are installed when the test says so. */
function create() {
  const state = { installed: false, platformSupported: true, bytes: 0, totalBytes: 100, downloadBytes: 80 };
  let options: Options | undefined;
  const work = { done: Promise.withResolvers<void>() };
  const files: LocalAiFiles = {
    state: async () => state,
    install: (given) => {
      options = given;
      work.done = Promise.withResolvers<void>();
      given.signal.addEventListener('abort', () => work.done.reject(given.signal.reason));
      return work.done.promise;
    },
    remove: async () => void Object.assign(state, { installed: false }),
  };
  const { local } = createTestAi();
  const install = new LocalAiInstall({ files, local, log: silentLog });
  return {
    install,
    state,
    work,
    progress: (doneBytes: number) => options?.onProgress({ file: 'a', step: 'fetch', doneBytes, totalBytes: 80 }),
  };
}

describe('the installation of built-in AI', () => {
  it('runs in the background, reports its progress, and can be removed afterwards', async () => {
    const { install, state, work, progress } = create();
    expect(await install.report()).toMatchObject({ state: 'missing', downloadBytes: 80, progress: null, fault: null });
    install.start();
    progress(40);
    expect(await install.report()).toMatchObject({ state: 'installing', progress: { doneBytes: 40, totalBytes: 80 } });
    expect(() => install.start()).toThrow('already');
    await expect(install.remove()).rejects.toThrow('cancel the installation first');
    state.installed = true;
    work.done.resolve();
    await expect.poll(() => install.report()).toMatchObject({ state: 'installed', progress: null });
    await install.remove();
    expect(await install.report()).toMatchObject({ state: 'missing' });
  });

  it('is no failure when it is cancelled, and can be started again', async () => {
    const { install } = create();
    install.start();
    await install.cancel();
    expect(await install.report()).toMatchObject({ state: 'missing', fault: null });
    install.start();
    expect(await install.report()).toMatchObject({ state: 'installing' });
    await install.cancel();
  });

  it.each([
    [Object.assign(new Error('x'), { fault: 'no-room' }), 'no-room'],
    [Object.assign(new Error('x'), { fault: 'a new one' }), 'failed'],
    [new TypeError('x'), 'failed'],
  ])('fails with %o and reports %s until the next attempt', async (error, fault) => {
    const { install, work } = create();
    install.start();
    work.done.reject(error);
    await expect.poll(() => install.report()).toMatchObject({ state: 'missing', fault });
    install.start();
    expect(await install.report()).toMatchObject({ fault: null });
    await install.cancel();
  });
});
