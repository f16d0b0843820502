import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { type Attack, holds } from '../attack.ts';
import type { Target } from '../target.ts';

const answers = [
  'HTTP/1.1 099 No\r\n\r\n',
  'HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 1000 No\r\n\r\n',
  'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nwhatever',
  'HTTP/1.1 200 \u0001\u0002\r\nX: \u0000\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx',
  `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
  'HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n\r\n',
  '\u0000\u0001\u0002',
];

async function answering(text: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from(text, 'latin1')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server, path: string): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/${path}`;
}

/** Every function of the control plane that contacts a named machine. */
async function requestEverywhere(target: Target, url: string): Promise<void> {
  await target.probeSource(`${url}.flv`);
  await target.live.post('/terraform/v1/ai/transcript/check', { secretKey: 'key', baseURL: url });
}

export const impossibleAnswers: Attack = {
  id: 'S35',
  title: 'source servers with impossible statuses, headers and bodies',
  growthMb: 60,
  async run(target) {
    for (const text of answers) {
      const server = await answering(text);
      try {
        await requestEverywhere(target, urlOf(server, 'live'));
      } finally {
        server.close();
      }
      const { status } = await target.live.post('/terraform/v1/mgmt/status');
      holds(status === 200, `after ${JSON.stringify(text.slice(0, 30))} the control plane answers ${status}`);
    }
    return `${answers.length} answers, each one failed call`;
  },
};
