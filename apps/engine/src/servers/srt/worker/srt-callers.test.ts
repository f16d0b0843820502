import { expect, it } from 'vitest';
import { TestCaller } from './srt-caller.fixture.ts';
import { openCallers } from './srt-callers.fixture.ts';

it('a caller is refused when the decision itself fails', async () => {
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
