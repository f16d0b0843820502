import { describe, expect, it } from 'vitest';
import { FakeClock } from '../core/clock.fixture.ts';
import { IntendedSilence } from './intended-silence.ts';

type Outputs = ConstructorParameters<typeof IntendedSilence>[0]['inputs']['outputs'];

/** Knows the streams of `here`, and nothing of other servers. */
function open(...outputs: Partial<Outputs[number]>[]) {
  const clock = new FakeClock();
  const ownStreamOf = async (url: string) => /^rtmp:\/\/here\/(.*)$/.exec(url)?.[1];
  return {
    clock,
    silence: new IntendedSilence({
      inputs: { ownStreamOf, outputs: outputs.map((each) => ({ urls: async () => [], ...each })) },
      clock,
    }),
  };
}

const to = (stream: string) => `rtmp://here/live/${stream}`;

describe('intended silence', () => {
  it('applies to streams that are made silent here, not to those sent elsewhere', async () => {
    const { silence } = open(
      { silent: async () => [to('door'), 'rtmp://elsewhere/live/gate'] },
      { silent: async () => [to('yard')] },
    );
    expect([...(await silence.streams())]).toEqual(['live/door', 'live/yard']);
  });

  it('applies to copies of such a stream, in any order of the list', async () => {
    const { silence } = open(
      { silent: async () => [to('door')] },
      {
        copies: async () => [
          { from: 'live/small', to: to('smaller') },
          { from: 'live/show', to: to('other') },
          { from: 'live/door', to: 'rtmp://elsewhere/live/key' },
        ],
      },
      { copies: async () => [{ from: 'live/door', to: to('small') }] },
    );
    expect([...(await silence.streams())].sort()).toEqual(['live/door', 'live/small', 'live/smaller']);
  });

  it('ends with its setting, within a moment, and is assumed absent while it is unknown', async () => {
    let chosen = [to('door')];
    const { silence, clock } = open({
      silent: async () => {
        if (chosen.length === 2) throw new Error('the store is away');
        return chosen;
      },
    });
    expect((await silence.streams()).size).toBe(1);
    chosen = [to('door'), to('yard')];
    clock.pass(2000);
    expect((await silence.streams()).size).toBe(0);
    chosen = [];
    expect((await silence.streams()).size).toBe(0);
  });
});
