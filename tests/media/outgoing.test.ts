import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { Child, ffprobe, relayArgs } from '@weir/process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../apps/server/src/core/clock.ts';
import { OutgoingMedia } from '../../apps/server/src/core/outgoing/media/outgoing-media.ts';
import { OutgoingProxy } from '../../apps/server/src/core/outgoing/media/outgoing-proxy.ts';
import { OutgoingRelay } from '../../apps/server/src/core/outgoing/media/outgoing-relay.ts';
import { OwnNames } from '../../apps/server/src/core/outgoing/own-names.ts';
import { MemoryStore } from '../../apps/server/src/core/store/memory-store.ts';
import { downloadArgs, downloadEnvironment } from '../../apps/server/src/media-sources/downloads/download-progress.ts';

const run = promisify(execFile);

/** Service that only this machine reaches and that must not be touched: TCP and UDP on one port. */
async function canary() {
  let touched = 0;
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    touched += 1;
    sockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', () => (touched += 1)).bind(port, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    tcp.close();
    udp.close();
  });
  return { at: `127.0.0.1:${port}`, touched: () => touched };
}

/** Every way to name a place that ffmpeg knows, or may know one day. */
const namesOf = (at: string) => [
  ...['http', 'https', 'httpproxy', 'tcp', 'tls', 'rtmp', 'rtmps', 'rtmpt', 'rtsp', 'ftp', 'gopher', 'gophers'].map(
    (scheme) => `${scheme}://${at}/a.ts`,
  ),
  ...['mmsh', 'mmst', 'udp', 'rtp', 'srtp', 'srt', 'rist', 'sftp', 'sctp', 'udplite', 'amqp', 'zmq:tcp', 'icecast'].map(
    (scheme) => `${scheme}://${at}/a.ts`,
  ),
  ...[
    'crypto+',
    'crypto:',
    'async:',
    'cache:',
    'concat:',
    'tee:',
    'subfile,,start,0,end,9,,:',
    'hls+',
    'data+',
  ].flatMap((outer) => [`${outer}http://${at}/a.ts`, `${outer}tcp://${at}/a.ts`, `${outer}httpproxy://${at}/a.ts`]),
  'ipfs://a/b',
  'file:///etc/hostname',
  'pipe:0',
  'unix:/run/x',
  `HTTPPROXY://${at}/a`,
  ` httpproxy://${at}/a`,
];

const head = '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n';
const end = '#EXT-X-ENDLIST\n';
const documents: Record<string, (names: readonly string[], base: string) => string> = {
  '/variants.m3u8': (names) =>
    `#EXTM3U\n${names.map((name, index) => `#EXT-X-STREAM-INF:BANDWIDTH=${index + 1}\n${name}\n`).join('')}`,
  '/renditions.m3u8': (names) =>
    `#EXTM3U\n${names.map((name, i) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="n${i}",URI="${name}"\n`).join('')}#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="g"\nnone.m3u8\n`,
  '/segments.m3u8': (names) => `${head}${names.map((name) => `#EXTINF:2,\n${name}\n`).join('')}${end}`,
  '/keys.m3u8': (names) =>
    `${head}${names.map((name) => `#EXT-X-KEY:METHOD=AES-128,URI="${name}"\n#EXTINF:2,\nnone.ts\n`).join('')}${end}`,
  '/maps.m3u8': (names) =>
    `${head}${names.map((name) => `#EXT-X-MAP:URI="${name}"\n#EXTINF:2,\nnone.m4s\n`).join('')}${end}`,
  '/redirects.m3u8': (names, base) =>
    `${head}${names.map((name) => `#EXTINF:2,\n${base}/to/${encodeURIComponent(name)}\n`).join('')}${end}`,
  '/concat.ts': (names) => `ffconcat version 1.0\n${names.map((name) => `file '${name}'\n`).join('')}`,
  '/dash.ts': (names) =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><BaseURL>${names[2]}</BaseURL></Period></MPD>`,
};

async function hostileSite(names: readonly string[]): Promise<string> {
  const site = createHttpServer((req, res) => {
    const { host } = req.headers;
    const path = req.url ?? '';
    const document = documents[path];
    if (path.startsWith('/to/')) res.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end();
    else if (document) res.end(document(names, `http://${host}`));
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  return `127.0.0.1:${(site.address() as AddressInfo).port}`;
}

function wayOut() {
  const [proxy, relay] = [new OutgoingProxy(), new OutgoingRelay()];
  onTestFinished(async () => {
    await proxy.close();
    await relay.close();
  });
  return { proxy, media: new OutgoingMedia({ proxy, relay, names: new OwnNames(new MemoryStore(), systemClock) }) };
}

/** Programs end by themselves; one that does not is ended. */
const attempt = (command: string, args: readonly string[]) =>
  run(command, args, { timeout: 20_000 }).catch(() => undefined);

describe('S39: whatever address a source names', () => {
  it('an unguarded reader touches the canary of these tests', async () => {
    const bird = await canary();
    const site = await hostileSite([`httpproxy://${bird.at}/a.ts`]);
    const own = ['-protocol_whitelist', 'http,https,httpproxy,tcp,tls,crypto'];
    await attempt('ffprobe', ['-v', 'error', '-rw_timeout', '1000000', ...own, '-i', `http://${site}/variants.m3u8`]);
    expect(bird.touched()).toBeGreaterThan(0);
  });

  it.each(Object.keys(documents))('ffmpeg and ffprobe touch nothing of this machine with %s', async (path) => {
    const bird = await canary();
    const { media } = wayOut();
    const site = await hostileSite(namesOf(bird.at));
    const { url, options } = await media.input(`http://${site}${path}`);
    const input = {
      kind: 'live',
      url,
      options: ['-rw_timeout', '2000000', '-http_persistent', '0', ...options],
    } as const;
    await ffprobe(input);
    await attempt('ffmpeg', ['-v', 'error', '-nostdin', ...relayArgs({ from: input, to: 'rtmp://127.0.0.1:9/a' })]);
    expect(bird.touched()).toBe(0);
  });

  it('an RTSP server cannot redirect ffmpeg elsewhere', async () => {
    const bird = await canary();
    const camera = createServer((socket) => {
      const answer = `RTSP/1.0 302 Moved\r\nCSeq: 1\r\nLocation: rtsp://${bird.at}/x\r\n\r\n`;
      socket.on('error', () => undefined).on('data', () => socket.write(answer));
    });
    await new Promise<void>((resolve) => camera.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void camera.close());
    const typed = `rtsp://127.0.0.1:${(camera.address() as AddressInfo).port}/x`;
    const { media } = wayOut();
    const { url, options } = await media.input(typed);
    expect((await ffprobe({ kind: 'live', url, options: ['-timeout', '2000000', ...options] })).ok).toBe(false);
    expect(bird.touched()).toBe(0);
    // Left to itself it follows.
    await ffprobe({ kind: 'live', url: typed, options: ['-timeout', '2000000'] }, { limitMs: 5000 });
    expect(bird.touched()).toBeGreaterThan(0);
  });

  it.each(['/segments.m3u8', '/redirects.m3u8', '/to/ftp'])(
    'yt-dlp touches nothing of this machine with %s',
    async (path) => {
      const bird = await canary();
      const { proxy } = wayOut();
      const site = await hostileSite(namesOf(bird.at));
      const way = await proxy.addressFor({ host: site, ownNetwork: 'typed', isReader: false });
      const url =
        path === '/to/ftp'
          ? `http://${site}/to/${encodeURIComponent(`ftp://${bird.at}/a.mp4`)}`
          : `http://${site}${path}`;
      const args = downloadArgs({ url, directory: '/nonexistent', proxy: way, largestBytes: 1e6 });
      const environment = downloadEnvironment(way);
      const lines: string[] = [];
      for (const more of [[], ['--downloader', 'ffmpeg']]) {
        const child = new Child({
          command: 'yt-dlp',
          args: [...args.slice(0, -2), ...more, ...args.slice(-2)],
          environment,
        });
        await child.ended;
        lines.push(...child.said());
      }
      expect(lines.join('\n')).toContain('ERROR');
      expect(bird.touched()).toBe(0);
    },
  );
});
