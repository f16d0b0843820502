import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../../tests/weir.fixture.ts';
import { type Attack, holds } from '../../attack.ts';
import { check, offer, type Session } from './session.ts';

const datagrams = 40_000;
const together = 50;

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** A datagram of some kind, with a head that leads far into what reads it. */
function hostile(session: Session): Buffer {
  const bytes = randomBytes(randomInt(1, 1400));
  const kind = randomInt(5);
  if (kind === 0) return check({ ...session, password: 'x'.repeat(24) });
  if (kind === 1) bytes.set([0, 1, 0, 8, 0x21, 0x12, 0xa4, 0x42].slice(0, bytes.length));
  if (kind === 2) bytes.set([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, randomInt(255), 0, 200, 1].slice(0, bytes.length));
  if (kind === 3) bytes.set([0x80, 102].slice(0, bytes.length));
  if (kind === 4) bytes.set([0x80, 200 + randomInt(8)].slice(0, bytes.length));
  return bytes;
}

export const datagramFlood: Attack = {
  id: 'S44',
  title: `${datagrams} datagrams of broken STUN, DTLS, SRTP and SRTCP, from strangers and from a connected client`,
  growthMb: 30,
  async run(target) {
    const session = await offer(target);
    const [guest, stranger] = [await openSocket(), await openSocket()];
    let [answered, echoed] = [0, 0];
    guest.on('message', () => (answered += 1));
    stranger.on('message', () => (echoed += 1));
    guest.send(check(session), session.port, '127.0.0.1');
    await until(() => answered > 0, 'the guest is answered');
    for (let n = 0; n < datagrams; n++) {
      (n % 2 === 0 ? guest : stranger).send(hostile(session), session.port, '127.0.0.1');
      if (n % together === 0) await turn();
    }
    holds(echoed === 0, `a stranger was sent ${echoed} datagrams`);
    const next = await offer(target);
    const before = answered;
    await until(() => {
      guest.send(check(next), next.port, '127.0.0.1');
      return answered > before;
    }, 'somebody who comes afterwards is answered');
    guest.close();
    stranger.close();
    return 'strangers get no reply, later clients are served';
  },
};
