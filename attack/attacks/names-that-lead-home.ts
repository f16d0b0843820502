import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { type Attack, holds } from '../attack.ts';

/** Long enough for a program to start and to connect. */
const waitMs = 6000;

export const namesThatLeadHome: Attack = {
  id: 'S42',
  title: 'names that resolve to this machine, in forward, virtual live, downloads and callbacks',
  growthMb: 60,
  async run(target) {
    const { live } = target;
    let touched = 0;
    const canary = createServer((socket) => {
      touched += 1;
      socket.destroy();
    });
    canary.listen(0, '0.0.0.0');
    await once(canary, 'listening');
    const address = canary.address();
    const port = typeof address === 'object' ? address?.port : 0;
    // Names of every Debian system that lead to loopback without being written as such.
    const names = [...new Set(['ip6-localhost', 'ip6-loopback', hostname()])];
    try {
      for (const [index, name] of names.entries()) {
        const platform = ['wx', 'bilibili', 'kuaishou'][index] ?? 'wx';
        const server = `rtmp://${name}:${port}/live`;
        await live.post('/terraform/v1/ffmpeg/forward/secret', {
          action: 'update',
          platform,
          server,
          secret: 'key',
          enabled: true,
        });
        await target.probeSource(`rtmp://${name}:${port}/live/x`);
        await target.probeSource(`http://${name}:${port}/x.flv`);
        await live.post('/terraform/v1/ffmpeg/vlive/ytdl', { url: `http://${name}:${port}/x.mp4` });
        await live.post('/terraform/v1/mgmt/hooks/apply', { all: true, target: `http://${name}:${port}/hook` });
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    } finally {
      canary.close();
    }
    holds(touched === 0, `a name led to this machine ${touched} times`);
    return `${names.length} names, no connection`;
  },
};
