import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../clock.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { OwnNames } from '../own-names.ts';
import { OutgoingMedia, type OwnStreams, preparing } from './outgoing-media.ts';
import { OutgoingProxy } from './outgoing-proxy.ts';
import { OutgoingRelay } from './outgoing-relay.ts';

/** Names of tests: nothing here asks a real name server. */
function open(names: Record<string, string>, own?: OwnStreams) {
  const resolve = async (name: string) => {
    const address = names[name];
    if (address === undefined) throw new Error('no such name');
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
  const [proxy, relay] = [new OutgoingProxy(resolve), new OutgoingRelay(resolve)];
  onTestFinished(async () => {
    await proxy.close();
    await relay.close();
  });
  return new OutgoingMedia({
    proxy,
    relay,
    names: new OwnNames(new MemoryStore(), systemClock),
    resolve,
    ...(own && { own }),
  });
}

describe('S42: an address of a stream that a user enters', () => {
  it.each([
    'rtmp://169.254.169.254/latest',
    'rtmp://2852039166/live/x',
    'http://0xa9fea9fe/a.flv',
    'rtsp://[::ffff:169.254.169.254]/x',
    'rtmp://[::ffff:a9fe:a9fe]/live/x',
    'srt://[0:0:0:0:0:ffff:169.254.169.254]:9000',
    'http://[64:ff9b::a9fe:a9fe]/a.flv',
    'rtmp://[2002:a9fe:a9fe::]/live/x',
    'rtsp://[fd00:ec2::254]/x',
    'rtmps://[::]/live',
    'srt://0.0.0.0:10080',
    'rtsp://[fe80::1]/x',
    'http://six.test/a.m3u8',
    'http://metadata.test/a.m3u8',
    'rtmps://metadata.test/live',
    'srt://metadata.test:9000?streamid=x',
  ])('is never contacted: %s', async (url) => {
    const media = open({ 'metadata.test': '169.254.169.254', 'six.test': 'fe80::a9fe:a9fe%eth0' });
    await expect(media.confirm(url)).rejects.toThrow('link-local and reserved');
    await expect(media.input(url)).rejects.toThrow('link-local and reserved');
    if (/^(rtmps?|srt)/.test(url)) await expect(media.output(url)).rejects.toThrow('link-local and reserved');
  });

  it.each([
    'rtmp://[fe80::1%25eth0]/live/x',
    'rtsp://[::1%25lo]/x',
    'http://[::1%lo]/a.flv',
    'srt://[::1]evil.test:9000',
    'http://[::1',
  ])('is refused as invalid: %s', async (url) => {
    const media = open({});
    await expect(media.confirm(url)).rejects.toThrow('not a valid URL');
    await expect(media.input(url)).rejects.toThrow('not a valid URL');
  });

  it.each(['rtmp://127.0.0.1/live/x', 'rtsp://192.168.1.5/x', 'rtsp://camera.lan/x', 'rtsp://unknown.test/x'])(
    'may be in a private network: %s',
    async (url) => {
      await open({ 'camera.lan': '192.168.1.5' }).confirm(url);
    },
  );

  it('is refused when its name resolves to this machine, unless it is localhost', async () => {
    const six = {
      'mapped.test': '::ffff:127.0.0.1',
      'six.test': '::1',
      'zone.test': '::1%lo',
      'hex.test': '::ffff:7f00:1',
    };
    const media = open({ 'rebound.test': '127.0.0.1', ...six, localhost: '127.0.0.1' });
    for (const name of ['rebound.test', ...Object.keys(six)]) {
      await expect(media.confirm(`rtsp://${name}/x`)).rejects.toThrow('resolves to this server');
    }
    for (const host of ['localhost', '127.0.0.1', '[::1]']) await media.confirm(`rtmp://${host}/live/x`);
  });
});

describe('S42: at each start of an outgoing stream', () => {
  it.each(['127.0.0.1', '::1', '169.254.169.254', '10.0.0.5', 'fd00:ec2::254', '::ffff:10.0.0.5', '64:ff9b::7f00:1'])(
    'a name that resolves to %s since it was saved is refused',
    async (address) => {
      const names = { 'push.test': '198.51.100.7' };
      const media = open(names);
      for (const scheme of ['rtmp', 'rtmps', 'srt']) await media.confirm(`${scheme}://push.test:1000/live`);
      names['push.test'] = address;
      for (const scheme of ['rtmp', 'rtmps', 'srt', 'rtsp', 'rtsps', 'http', 'https']) {
        await expect(media.input(`${scheme}://push.test:1000/live`)).rejects.toThrow(/private address|reserved/);
      }
      for (const scheme of ['rtmp', 'rtmps', 'srt']) {
        const start = preparing(media.output(`${scheme}://push.test:1000/live`));
        await expect(start).rejects.toMatchObject({ failure: 'address-forbidden' });
      }
    },
  );

  it('a name that resolved to a private network when it was saved is still allowed', async () => {
    const names = { 'nas.lan': '192.168.1.7' };
    const media = open(names);
    await expect(media.output('rtmp://nas.lan/live/key')).rejects.toThrow('private address');
    await media.confirm('rtmp://NAS.lan/live/key');
    expect((await media.output('rtmp://nas.lan/live/key')).url).toBe('rtmp://192.168.1.7:1935/');
    names['nas.lan'] = '127.0.0.1';
    await expect(media.output('rtmp://nas.lan/live/key')).rejects.toThrow('resolves to this server');
  });

  it('ffmpeg connects to the address that was checked, and sends the name to the server', async () => {
    const media = open({ 'push.test': '198.51.100.7', 'six.test': '2001:db8::7' });
    expect(await media.output('rtmp://push.test/live/key?a=b')).toEqual({
      url: 'rtmp://198.51.100.7:1935/',
      hidden: [
        ['rtmp_app', 'live'],
        ['rtmp_playpath', 'key?a=b'],
        ['rtmp_tcurl', 'rtmp://push.test:1935/live'],
      ],
    });
    expect(
      await media.output('srt://six.test:9000?latency=20&streamid=%23!::r=live/a,m=publish&passphrase=secret+1'),
    ).toEqual({
      url: 'srt://[2001:db8::7]:9000?latency=20',
      hidden: [
        ['srt_streamid', '#!::r=live/a,m=publish'],
        ['passphrase', 'secret 1'],
      ],
    });
    const secure = await media.output('rtmps://push.test/live/key');
    expect(secure.url).toBe('rtmps://push.test:443/');
    expect(secure.hidden.map(([name]) => name)).toEqual(['rtmp_app', 'rtmp_playpath', 'http_proxy']);
    expect(await media.input('rtmp://u:p@push.test:1936/live/key')).toMatchObject({
      url: 'rtmp://u:p@198.51.100.7:1936/live/key',
      options: ['-rtmp_tcurl', 'rtmp://push.test:1936/live'],
    });
    expect((await media.input('srt://push.test:9000?streamid=#!::r=a')).url).toBe(
      'srt://198.51.100.7:9000?streamid=#!::r=a',
    );
    expect((await media.input('https://push.test:8443/a/b.m3u8?c')).url).toBe(
      'http://weir.invalid/https/push.test:8443/a/b.m3u8?c',
    );
  });

  it('RTSP goes through a proxy on loopback when the target answers', async () => {
    const camera = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => camera.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void camera.close());
    const { port } = camera.address() as AddressInfo;
    const media = open({});
    for (const scheme of ['rtsp', 'rtsps']) {
      const { url } = await media.input(`${scheme}://u:p@127.0.0.1:${port}/cam?a`);
      expect(url).toMatch(/^rtsp:\/\/u:p@127\.0\.0\.1:\d+\/cam\?a$/);
      expect(url).not.toContain(`:${port}/`);
    }
    const nobody = preparing(media.input('rtsp://127.0.0.1:1/cam'));
    await expect(nobody).rejects.toMatchObject({ failure: 'connection-refused' });
  });

  it('reaches this server over loopback under each of its names', async () => {
    const media = open({});
    const { url, hidden } = await media.output('rtmp://this.example/live/a', { host: '127.0.0.1', port: 1935 });
    expect(url).toBe('rtmp://127.0.0.1:1935/');
    expect(hidden).toContainEqual(['rtmp_tcurl', 'rtmp://this.example:1935/live']);
  });

  it('a key too long to be hidden is passed in the address', async () => {
    const media = open({ 'push.test': '198.51.100.7' });
    const key = 'k'.repeat(2000);
    expect(await media.output(`rtmp://push.test/live/${key}`)).toEqual({
      url: `rtmp://198.51.100.7:1935/live/${key}`,
      hidden: [],
    });
  });
});

describe('a source that is a stream of this server', () => {
  const own: OwnStreams = {
    async inside(url, hosts = [new URL(url).hostname]) {
      const isOwn = hosts.some((host) => host === 'studio' || host === '198.51.100.1');
      return isOwn ? `rtmp://127.0.0.1:1935${new URL(url).pathname}?own=token` : undefined;
    },
    isLive: async (url) => !url.includes('absent'),
    secrets: ['token'],
  };
  const names = { 'show.test': '198.51.100.1', 'other.test': '198.51.100.7', 'rebound.test': '127.0.0.1' };

  it('is read over loopback, by its name or by the address of that name', async () => {
    const media = open(names, own);
    for (const host of ['studio', 'show.test', '198.51.100.1']) {
      const input = await media.input(`rtmp://${host}/live/a`);
      expect(input).toMatchObject({ url: 'rtmp://127.0.0.1:1935/live/a?own=token', secrets: ['token'] });
    }
    expect((await media.input('rtmp://other.test/live/a')).url).toBe('rtmp://198.51.100.7:1935/live/a');
    await expect(media.input('rtmp://rebound.test/live/a')).rejects.toThrow('private address');
    await media.confirm('rtmp://studio/live/a');
  });

  it('is waited for until it is published, and no other source is', async () => {
    const media = open(names, own);
    expect(await media.awaitOwn('rtmp://show.test/live/absent')).toBe('absent');
    expect(await media.awaitOwn('rtmp://show.test/live/there')).toBe('live');
    expect(await media.awaitOwn('rtmp://other.test/live/absent')).toBe('elsewhere');
  });
});
