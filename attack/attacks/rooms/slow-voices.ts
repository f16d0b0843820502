import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { talkHeaders } from '@weir/contract';
import { type Attack, holds } from '../../attack.ts';

const path = '/terraform/v1/ai-talk/stage/upload';
const bodies = 48;
const networks = 24;
const bytesPerSecond = 2000;
const everyMs = 500;
const watchedMs = 12_000;

export const slowVoices: Attack = {
  id: 'S49',
  title: `${bodies} voice messages of 8 MB without a token, ${bytesPerSecond / 1000} KB/s each, from ${networks} networks`,
  growthMb: 100,
  async run(target) {
    const { httpPort: port } = target.live.weir;
    const { data: room } = await target.live.post('/terraform/v1/live/room/create', { title: 'voices' });
    const headers = { [talkHeaders.room]: room.uuid, [talkHeaders.roomToken]: room.roomToken };
    // Above what every call may send: it is read in a place of its own.
    const said = { room: room.uuid, roomToken: room.roomToken, sid: 'none', audio: 'A'.repeat(1_500_000) };
    const voice = JSON.stringify(said);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n{"audio":"`;
    const sockets: Socket[] = [];
    const told: string[] = [];
    const piece = 'A'.repeat((bytesPerSecond * everyMs) / 1000);
    for (let n = 0; n < bodies; n++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.${20 + (n % networks)}.0.1` });
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => told.push(String(chunk)));
      socket.write(head);
      sockets.push(socket);
    }
    const pouring = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(piece);
    }, everyMs);
    const beganMs = performance.now();
    const statuses = new Set<number>();
    try {
      while (performance.now() - beganMs < watchedMs) {
        const { status, text } = await target.sendRequest(path, {
          method: 'POST',
          from: '127.9.0.7',
          headers,
          body: voice,
        });
        statuses.add(status);
        holds(status === 404, `a guest's voice message is answered ${status}: ${text}`);
        await sleep(everyMs);
      }
    } finally {
      clearInterval(pouring);
      for (const socket of sockets) socket.destroy();
    }
    const wrong = { ...headers, [talkHeaders.roomToken]: 'wrong' };
    const { status: refusal } = await target.sendRequest(path, {
      method: 'POST',
      from: '127.9.0.7',
      headers: wrong,
      body: voice,
    });
    holds(refusal === 401, `a wrong token in the headers is answered ${refusal}`);
    holds(!told.some((text) => text.includes('restarting')), 'a refusal claims that the control server is restarting');
    const cut = told.filter((text) => text.startsWith('HTTP/1.1 4') || text.startsWith('HTTP/1.1 503')).length;
    holds(cut === bodies, `only ${cut} of ${bodies} slow bodies were refused`);
    return `guests are served (${[...statuses].join(', ')} without a conversation), all ${bodies} were refused`;
  },
};
