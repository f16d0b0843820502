import { Outlet } from '@weir/contract';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../core/clock.ts';
import { OutgoingMedia } from '../core/outgoing/media/outgoing-media.ts';
import { OutgoingProxy } from '../core/outgoing/media/outgoing-proxy.ts';
import { OutgoingRelay } from '../core/outgoing/media/outgoing-relay.ts';
import { OwnNames } from '../core/outgoing/own-names.ts';
import { MemoryStore } from '../core/store/memory-store.ts';
import { Destinations } from './destinations.ts';
import { Outlets } from './outlets.ts';

const Slot = Outlet.extend({ note: z.string().default('') });

function open(limit = 5) {
  const onChange = vi.fn();
  const store = new MemoryStore();
  const resolve = async () => [{ address: '198.51.100.7', family: 4 }];
  const [proxy, relay] = [new OutgoingProxy(resolve), new OutgoingRelay(resolve)];
  const media = new OutgoingMedia({ proxy, relay, names: new OwnNames(store, systemClock), resolve });
  const destinations = new Destinations({ media, inputs: { ownDoorOf: async () => undefined } });
  const outlets = new Outlets({ store, feature: 'forward', schema: Slot, destinations, limit, onChange });
  return { outlets, onChange };
}

const good = { platform: 'wx', server: 'rtmp://host.test/live', secret: 'key', enabled: true };
const note = (text?: string) => (current?: z.output<typeof Slot>) => ({ note: text ?? current?.note ?? '' });

describe('output slots', () => {
  it('are saved whole under their platform, and keep the fields that a feature protects', async () => {
    const { outlets, onChange } = open();
    await outlets.update({ ...good, custom: true, label: 'mine' }, note('first'));
    await outlets.update({ platform: 'wx', server: ' rtmp://host.test/live ' }, note());
    expect(await outlets.byPlatform()).toEqual({
      wx: {
        platform: 'wx',
        server: 'rtmp://host.test/live',
        secret: '',
        enabled: false,
        custom: false,
        label: '',
        note: 'first',
      },
    });
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it('may begin with the defaults of a feature, off and without a destination', async () => {
    const { outlets } = open();
    await outlets.edit('forwarding-4-abc', note('source'));
    expect(await outlets.list()).toMatchObject([{ platform: 'forwarding-4-abc', enabled: false, note: 'source' }]);
    await outlets.update({ ...good, platform: 'forwarding-4-abc' }, note());
    await outlets.edit('forwarding-4-abc', note('other'));
    expect(await outlets.list()).toMatchObject([{ server: 'rtmp://host.test/live', enabled: true, note: 'other' }]);
  });

  it('are deleted on request only', async () => {
    const { outlets } = open();
    await outlets.update(good, note());
    await outlets.remove('wx');
    expect(await outlets.list()).toEqual([]);
    await expect(outlets.remove('wx')).rejects.toThrow('there is no such destination');
  });

  it('that are custom end at the limit, also for two at once; existing ones and named platforms are never refused', async () => {
    const { outlets } = open(5);
    const save = (platform: string) => outlets.update({ ...good, platform }, note());
    await save('forwarding-4-abc');
    const race = await Promise.allSettled([save('forwarding-5-abc'), save('forwarding-6-abc')]);
    expect(race.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    for (const platform of ['forwarding-4-abc', 'wx', 'bilibili', 'kuaishou']) await save(platform);
    await expect(save('forwarding-9-abc')).rejects.toThrow('all 2 custom destinations are in use');
    await outlets.remove('forwarding-4-abc');
    await save('forwarding-9-abc');
  });

  it.each([
    [{ ...good, platform: undefined }, 'no platform'],
    [{ ...good, platform: '' }, 'no platform'],
    [{ ...good, platform: 'youtube' }, 'invalid platform=youtube'],
    [{ ...good, platform: 'vlive-4-abc' }, 'invalid platform=vlive-4-abc'],
    [{ ...good, platform: 'xforwarding-4-abc' }, 'invalid platform=xforwarding-4-abc'],
    [{ ...good, platform: 'forwarding-4-../../x' }, /^invalid platform$/],
    [{ ...good, platform: '__proto__' }, 'invalid platform=__proto__'],
    [{ ...good, server: undefined }, 'no server'],
    [{ ...good, server: '  ' }, 'no server'],
    [{ ...good, server: '/tmp/out.flv' }, 'should start with rtmp'],
    [{ ...good, server: '-f' }, 'should start with rtmp'],
    [{ ...good, server: 'file:///tmp/out.flv' }, 'should start with rtmp'],
    [{ ...good, server: 'http://host.test/' }, 'should start with rtmp'],
    [{ ...good, server: 'rtmp://' }, 'should be a full URL'],
    [{ ...good, server: 'rtmp://host.test/live -f null' }, 'should be a full URL'],
    [{ ...good, server: 'rtmp://host.test/live\nx' }, 'should be a full URL'],
    [{ ...good, secret: 'a\nb' }, 'single line'],
    [{ ...good, server: 'rtmp://169.254.169.254/live' }, 'not allowed'],
    [{ ...good, server: 'rtmp://2852039166/live' }, 'not allowed'],
    [{ ...good, server: 'srt://[fe80::1]:1' }, 'not allowed'],
    [{ ...good, server: 'rtmp://[::ffff:169.254.169.254]/live' }, 'not allowed'],
  ])('refuse %j: %s', async (change, message) => {
    const { outlets, onChange } = open();
    await expect(outlets.update(change, note())).rejects.toThrow(message);
    expect(await outlets.list()).toEqual([]);
    expect(onChange).not.toHaveBeenCalled();
  });

  it.each(['rtmp://localhost/live', 'rtmps://10.0.0.8:443/app', 'srt://[::1]:10080?streamid=#!::r=live/x,m=publish'])(
    'may lead to %s',
    async (server) => {
      const { outlets } = open();
      await outlets.update({ ...good, server }, note());
      expect(await outlets.list()).toMatchObject([{ server }]);
    },
  );
});
