import { expect, it, vi } from 'vitest';
import { TestCaller } from './srt-caller.fixture.ts';
import { openCallers } from './srt-callers.fixture.ts';

it('refuses a caller when the decision itself fails', async () => {
  const names = {
    find: () => {
      throw new Error('broken');
    },
  };
  const callers = await openCallers(names);
  const caller = await TestCaller.dial(callers.port, '#!::r=live/any,m=publish');
  const { isConnected, rejectReason } = caller;
  expect({ isConnected, rejectReason }).toEqual({ isConnected: false, rejectReason: 1500 });
  await caller.close();
  await callers.close();
});

it('disconnects a caller that was accepted to play and would publish by now, because it has no receive buffer', async () => {
  let asked = 0;
  const names = {
    // Listed while it is judged, gone when it is taken: a plain id then means to publish.
    find: () => {
      asked += 1;
      return asked === 1 ? { isLive: true } : undefined;
    },
  };
  const callers = await openCallers(names);
  const caller = await TestCaller.dial(callers.port, 'live/x');
  await vi.waitFor(() => expect(caller.isConnected).toBe(false));
  expect(asked).toBeGreaterThan(1);
  await caller.close();
  await callers.close();
});
