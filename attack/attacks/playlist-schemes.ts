import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { type Attack, holds } from '../attack.ts';

const media = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-VERSION:7\n';

/** Playlists that lead ffmpeg to a port of this machine by another protocol than http. */
function playlists(canary: number): string[] {
  const at = `127.0.0.1:${canary}`;
  const addresses = [
    `httpproxy://${at}/a.ts`,
    `tcp://${at}/a.ts`,
    `rtmp://${at}/live/a`,
    `rtsp://${at}/a`,
    `tls://${at}/a.ts`,
    `crypto+http://${at}/a.ts`,
    `concat:http://${at}/a.ts`,
    `subfile,,start,0,end,9,,:http://${at}/a.ts`,
    `async:tcp://${at}/a.ts`,
    `cache:tcp://${at}/a.ts`,
    `ftp://${at}/a.ts`,
    `gopher://${at}/a.ts`,
    `icecast://${at}/a.ts`,
    `srt://${at}/a.ts`,
    'file:///etc/passwd',
  ];
  return addresses.flatMap((address) => [
    `${media}#EXTINF:2,\n${address}\n#EXT-X-ENDLIST\n`,
    `${media}#EXT-X-KEY:METHOD=AES-128,URI="${address}"\n#EXTINF:2,\nhttp://example.invalid/a.ts\n#EXT-X-ENDLIST\n`,
    `${media}#EXT-X-MAP:URI="${address}"\n#EXTINF:2,\nhttp://example.invalid/a.mp4\n#EXT-X-ENDLIST\n`,
    `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${address}\n`,
  ]);
}

export const playlistSchemes: Attack = {
  id: 'S39',
  title: 'playlists, keys and maps that name other protocols',
  growthMb: 120,
  async run(target) {
    let touched = 0;
    const canary = createTcpServer((socket) => {
      touched += 1;
      socket.destroy();
    });
    canary.listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const address = canary.address();
    const texts = playlists(typeof address === 'object' ? (address?.port ?? 0) : 0);
    const server = createServer((request, response) => {
      const text = texts[Number(/\d+/.exec(request.url ?? '')?.[0])] ?? '';
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = server.address();
    const port = typeof own === 'object' ? own?.port : 0;
    try {
      for (let n = 0; n < texts.length; n += 1) {
        await target.probeSource(`http://127.0.0.1:${port}/${n}/a.m3u8`);
        holds(touched === 0, `this led past the check: ${texts[n]}`);
      }
    } finally {
      canary.close();
      server.close();
    }
    return `${texts.length} playlists, no canary touched`;
  },
};
