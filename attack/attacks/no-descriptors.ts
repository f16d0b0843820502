import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../tests/weir.fixture.ts';
import type { Attack } from '../attack.ts';

const spare = 30;
const connections = 200;

export const noDescriptors: Attack = {
  id: 'S18',
  title: 'more connections than the engine has descriptors for',
  growthMb: 60,
  async run(target) {
    const { weir } = target.live;
    const pid = weir.pidOf('engine');
    const limit = readdirSync(`/proc/${pid}/fd`).length + spare;
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${limit}`]);
    const sockets: Socket[] = [];
    for (let n = 0; n < connections; n++) {
      const socket = connect(n % 2 === 0 ? weir.httpPort : weir.rtmpPort, '127.0.0.1');
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    await sleep(3000);
    for (const socket of sockets) socket.destroy();
    const answers = () => target.sendRequest('/terraform/v1/mgmt/versions').then(({ status }) => status === 200);
    await until(() => answers().catch(() => false), 'answers again', 30_000);
    return `${connections} connections for ${spare} descriptors, answers afterwards`;
  },
};
