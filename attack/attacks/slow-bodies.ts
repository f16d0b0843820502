import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, holds } from '../attack.ts';

const networks = 4;
const perNetwork = 300;

export const slowBodies: Attack = {
  id: 'S38',
  title: `${networks * perNetwork} request bodies that never end, from ${networks} addresses`,
  growthMb: 60,
  async run(target) {
    const { httpPort: port } = target.live.weir;
    const sockets: Socket[] = [];
    const head = 'POST /terraform/v1/mgmt/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{';
    for (let n = 0; n < networks * perNetwork; n++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.3.${(n % networks) + 1}` });
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.write(head);
      sockets.push(socket);
      if (n % 50 === 0) await sleep(5);
    }
    await sleep(1000);
    const stranger = await target.sendRequest('/terraform/v1/mgmt/check', {
      from: '127.9.0.1',
      method: 'POST',
      body: '{}',
    });
    const administrator = await target.live.post('/terraform/v1/mgmt/status');
    for (const socket of sockets) socket.destroy();
    holds(stranger.status === 200, `somebody else is answered ${stranger.status}`);
    holds(administrator.status === 200, `the administrator is answered ${administrator.status}`);
    return 'other clients and the administrator are served';
  },
};
