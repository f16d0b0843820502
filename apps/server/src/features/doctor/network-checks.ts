import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Listener } from '@weir/contract';
import { isLoopback, isLoopbackHost } from '@weir/streams';
import { classifyAddress } from '../../core/outgoing/address-class.ts';
import { askByTcp, askByUdp } from '../../core/outgoing/reach.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Check, Question, Result } from './check.ts';

const versionsPath = '/terraform/v1/mgmt/versions';
const client = new OutgoingClient();

/** DNS of the public name, and whether this server answers under it. */
export const nameCheck: Check = {
  name: 'name',
  run: async (question) => {
    const { name, pageHost, config, signal } = question;
    if (name === '') return { verdict: 'skipped', reason: 'name.none', facts: { host: pageHost } };
    const addresses = await addressesOf(name);
    const facts = { name, addresses: addresses.join(', ') };
    if (addresses.length === 0)
      return { verdict: 'bad', reason: 'name.unresolved', facts, command: `getent ahosts ${name}` };
    const port = config.published.http || String(await portOf(question, 'http', config.http.port));
    // A proxy in front has the default port.
    const urls = config.httpsElsewhere ? [`https://${name}`] : [`http://${name}:${port}`, `http://${name}`];
    const own = await bootIdAt(
      `http://${hostOf(config.http.host)}:${await portOf(question, 'http', config.http.port)}`,
      signal,
    );
    const ids = await Promise.all(urls.map((url) => bootIdAt(url, signal)));
    if (own !== undefined && ids.includes(own)) {
      if (addresses.every(isPrivate)) return { verdict: 'warn', reason: 'name.private', facts };
      return { verdict: 'ok', reason: 'name.here', facts };
    }
    if (own !== undefined && ids.some((id) => id !== undefined))
      return { verdict: 'bad', reason: 'name.elsewhere', facts };
    return { verdict: 'warn', reason: 'name.unreachable', facts };
  },
};

/** Ports that the engine was asked to open. */
export const listeningCheck: Check = {
  name: 'listening',
  run: async ({ mediaServer }) => {
    const health = await mediaServer.health().catch(() => undefined);
    if (!health) return { verdict: 'bad', reason: 'listening.stopped', command: 'systemctl status weir' };
    const listeners = health.listeners.filter(({ port }) => port > 0);
    // A port without a reason belongs to a process that is starting.
    const failed = listeners.filter(({ ready, note }) => !ready && note !== '');
    const shown = (failed.length > 0 ? failed : listeners).map(labelOf).join(', ');
    if (failed.length === 0) return { verdict: 'ok', reason: 'listening.ok', facts: { ports: shown } };
    const filter = failed.map(({ port }) => `sport = :${port}`).join(' or ');
    const command = `sudo ss -lntup '( ${filter} )'`;
    return { verdict: 'bad', reason: 'listening.failed', facts: { ports: shown }, command };
  },
};

/** RTMP 1.0, 5.2: version 3, then 1536 bytes. The answer begins with the version. */
export const rtmpCheck: Check = {
  name: 'rtmp',
  run: (question) => {
    const hello = Buffer.concat([Buffer.from([3]), Buffer.alloc(8), randomBytes(1528)]);
    const ask = (host: string, port: number, signal: AbortSignal) =>
      askByTcp({ host, port, ownNetwork: 'allowed', send: hello, signal }).then((answer) => answer[0] === 3);
    return reach(question, { protocol: 'rtmp', port: Number(question.config.published.rtmp), transport: 'tcp', ask });
  },
};

/** SRT induction (draft-sharabayko-srt, 3.2.1 and 4.3.1.1). */
export const srtCheck: Check = {
  name: 'srt',
  run: (question) => {
    const ask = (host: string, port: number, signal: AbortSignal) =>
      askByUdp({ host, port, ownNetwork: 'allowed', send: induction(), signal }).then(isInductionAnswer);
    return reach(question, { protocol: 'srt', port: Number(question.config.published.srt), transport: 'udp', ask });
  },
};

interface Reach {
  readonly protocol: 'rtmp' | 'srt';
  readonly transport: 'tcp' | 'udp';
  /** As clients see it. */
  readonly port: number;
  readonly ask: (host: string, port: number, signal: AbortSignal) => Promise<boolean>;
}

/** Half of the time for the public name, the rest for this machine: a router that cannot turn back is no fault of the server. */
async function reach(question: Question, { protocol, transport, port, ask }: Reach): Promise<Result> {
  const { name, config } = question;
  const attempt = (host: string, at: number) =>
    ask(host, at, AbortSignal.any([question.signal, AbortSignal.timeout(4000)])).catch(() => false);
  const outside = config.mediaHost || name;
  if (outside !== '' && (await attempt(outside, port))) {
    return { verdict: 'ok', reason: `${protocol}.ok`, facts: { name: outside, port } };
  }
  const inner = await portOf(question, protocol, config[protocol].port);
  const isHere = inner > 0 && (await attempt(hostOf(config[protocol].host), inner));
  const command = `sudo ufw allow ${port}/${transport}`;
  if (!isHere)
    return {
      verdict: 'bad',
      reason: `${protocol}.failed`,
      facts: { port },
      command: `sudo ss -ln${transport[0]}p 'sport = :${port}'`,
    };
  if (outside === '') return { verdict: 'ok', reason: `${protocol}.local`, facts: { port } };
  return { verdict: 'warn', reason: `${protocol}.hairpin`, facts: { name: outside, port }, command };
}

/** Addresses that WebRTC clients are sent to. The browser's own test decides whether they work. */
export const candidateCheck: Check = {
  name: 'candidate',
  run: async ({ config, name, pageHost }) => {
    const set = config.candidate.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
    const command = `CANDIDATE=${name || 'PUBLIC-ADDRESS'}`;
    if (set.length > 0) {
      const found = (await Promise.all(set.map(addressesOf))).flat();
      const facts = { candidate: set.join(', '), addresses: found.join(', ') };
      if (found.length === 0) return { verdict: 'bad', reason: 'candidate.unresolved', facts, command };
      const isOutside = name !== '' && !(await addressesOf(name)).every(isPrivate);
      if (isOutside && !config.nameLookup && found.every(isPrivate))
        return { verdict: 'bad', reason: 'candidate.private', facts, command };
      return { verdict: 'ok', reason: 'candidate.set', facts };
    }
    if (config.inDocker && (isLoopbackHost(pageHost) || !config.nameLookup))
      return { verdict: 'bad', reason: 'candidate.container', command };
    if (config.nameLookup && !isLoopbackHost(pageHost) && pageHost !== '')
      return { verdict: 'ok', reason: 'candidate.page', facts: { host: pageHost } };
    const own = ownAddresses();
    const facts = { addresses: own.join(', ') };
    if (name !== '' && own.every(isPrivate) && !config.nameLookup)
      return { verdict: 'bad', reason: 'candidate.private', facts, command };
    return { verdict: 'ok', reason: 'candidate.own', facts };
  },
};

/** The number of the start that is in every answer; undefined if nothing or something else answers. */
async function bootIdAt(origin: string, signal: AbortSignal): Promise<unknown> {
  if (!URL.canParse(origin)) return undefined;
  const policy = {
    ownNetwork: 'allowed',
    verifiesTls: false,
    redirects: 0,
    withinMs: 4000,
    answerBytes: 4096,
  } as const;
  try {
    const { body } = await client.send({ url: `${origin}${versionsPath}`, method: 'GET' }, policy, signal);
    const answer: unknown = JSON.parse(body.toString('utf8'));
    return typeof answer === 'object' && answer !== null && 'server' in answer ? answer.server : undefined;
  } catch {
    return undefined;
  }
}

async function addressesOf(name: string): Promise<string[]> {
  if (isIP(name) !== 0) return [name];
  const found = await lookup(name, { all: true }).catch(() => []);
  return [...new Set(found.map(({ address }) => address))].slice(0, 6);
}

function isPrivate(address: string): boolean {
  return isLoopback(address) || classifyAddress(address) !== 'public';
}

/** Port in use; only the engine knows one that the system chose. */
async function portOf({ mediaServer }: Pick<Question, 'mediaServer'>, protocol: Listener['protocol'], set: number) {
  if (set !== 0) return set;
  const listeners = (await mediaServer.health().catch(() => undefined))?.listeners ?? [];
  return listeners.find((listener) => listener.protocol === protocol)?.port ?? 0;
}

function hostOf(host: string | undefined): string {
  const isAny = host === undefined || host === '' || host === '0.0.0.0' || host === '::';
  return isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
}

function labelOf({ protocol, port }: Pick<Listener, 'protocol' | 'port'>): string {
  return `${protocol === 'rtc' ? 'WebRTC' : protocol.toUpperCase()} ${port}`;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
    .map(({ address }) => address)
    .slice(0, 4);
}

function induction(): Buffer {
  const packet = Buffer.alloc(64);
  packet.writeUInt32BE(0x8000_0000, 0);
  packet.writeUInt32BE(4, 16);
  packet.writeUInt32BE(2, 20);
  packet.writeUInt32BE(randomBytes(4).readUInt32BE() >>> 1, 24);
  packet.writeUInt32BE(1500, 28);
  packet.writeUInt32BE(8192, 32);
  packet.writeUInt32BE(1, 36);
  packet.writeUInt32BE(randomBytes(4).readUInt32BE() >>> 2, 40);
  return packet;
}

/** A handshake of version 5 with the SRT magic. */
function isInductionAnswer(packet: Buffer): boolean {
  return packet.length >= 48 && packet.readUInt32BE(0) === 0x8000_0000 && packet.readUInt16BE(22) === 0x4a17;
}
