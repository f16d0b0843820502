import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createLog } from '@weir/plane';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { OpenAiWire } from './ai/wire/openai-wire.ts';
import { remoteTarget } from './ai/wire/remote-target.ts';
import { systemClock as clock, systemClock } from './core/clock.ts';
import { hostileAnswers, hostilePeer } from './core/outgoing/hostile-peer.fixture.ts';
import { OutgoingProxy } from './core/outgoing/media/outgoing-proxy.ts';
import { OutgoingClient, type OutgoingPolicy, type OutgoingRequest } from './core/outgoing/request/outgoing-client.ts';
import { selfSigned } from './core/outgoing/self-signed.fixture.ts';
import { MemoryStore } from './core/store/memory-store.ts';
import { AcmeIssuer } from './features/certs/acme-issuer.ts';
import { CertsRepository } from './features/certs/certs-repository.ts';
import { Challenges } from './features/certs/challenges.ts';
import { TencentClient } from './features/cloud/tencent-api.ts';
import { HookSender } from './features/hooks/hook-sender.ts';
import { HooksRepository } from './features/hooks/hooks-repository.ts';
import { askBilibili } from './features/tutorials/video-site.ts';
import { S3Client } from './uploads/s3-client.ts';

let pair: { key: string; cert: string };
let directory: string;
beforeAll(async () => {
  pair = await selfSigned();
  directory = mkdtempSync(join(tmpdir(), 'weir-peers-'));
  writeFileSync(join(directory, 'ca.pem'), pair.cert);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** By ACME, of an authority that we trust and should not. */
function orderCertificate(host: string): Promise<unknown> {
  const port = host.split(':')[1];
  const repository = new CertsRepository(new MemoryStore());
  const context = {
    repository,
    challenges: new Challenges(),
    log,
    authority: join(directory, 'ca.pem'),
    requestMs: withinMs,
  };
  return new AcmeIssuer({ ...context, directory: `https://localhost:${port}/dir` }).issue('example.com');
}

const log = createLog('test', 'error');
log.level = 'silent';
const withinMs = 500;
/** Production client with shorter timeouts. */
const outgoing = new (class extends OutgoingClient {
  override send(ask: OutgoingRequest, asked: OutgoingPolicy, signal?: AbortSignal) {
    return super.send(ask, { ...asked, withinMs }, signal);
  }
  override stream(ask: OutgoingRequest, asked: OutgoingPolicy, signal: AbortSignal) {
    return super.stream(ask, { ...asked, withinMs }, signal);
  }
})();
const policy: OutgoingPolicy = { ownNetwork: 'typed', verifiesTls: true, redirects: 3, withinMs, answerBytes: 4096 };

/** Every outgoing request of the control plane. Each must return or throw, and not hang or throw elsewhere. */
const conversations: Readonly<Record<string, (host: string) => Promise<unknown>>> = {
  request: (host) => outgoing.send({ url: `http://${host}/`, method: 'GET' }, policy),
  upload: (host) => {
    const open = () => Readable.from([Buffer.from('hello')]);
    return outgoing.upload({ url: `http://${host}/`, bytes: 5, open }, policy);
  },
  callback: async (host) => {
    const hooks = new HooksRepository(new MemoryStore(), clock);
    await hooks.save({ ...(await hooks.settings()), target: `http://${host}/` });
    const delivery = { req: '{}', action: 'on_publish', request_id: 'a' } as const;
    const { outcome } = await new HookSender({ hooks, outgoing, log, clock }).send(delivery, { withinMs });
    if (outcome !== 'delivered') throw new Error(outcome);
  },
  storage: (host) => {
    const credential = { accessKey: 'a', secretKey: 'b' } as never;
    const place = { endpoint: `http://${host}`, region: 'r', name: 'b', isPathStyle: true } as const;
    const signal = AbortSignal.timeout(withinMs);
    return new S3Client(outgoing, { ...place, credential, ownNetwork: 'typed' }).read('k', signal);
  },
  'provider of models': (host) => wireTo(host).models(AbortSignal.timeout(withinMs)),
  'provider that talks': async (host) => {
    const asked = wireTo(host).chat({ model: 'm', messages: [] }, AbortSignal.timeout(withinMs));
    for await (const _piece of asked);
  },
  'video site': (host) => askBilibili(outgoing, { origin: `http://${host}`, ownNetwork: 'typed' })('BV1xx411c7mD'),
  cloud: (host) => {
    const places = { api: () => `http://${host}`, storage: () => ({}) as never, ownNetwork: 'typed' } as const;
    const key = { secretId: 'a', secretKey: 'b' } as never;
    const call = { service: 'cam', action: 'A', body: {}, answer: z.object({}), key, region: 'r' } as const;
    return new TencentClient(outgoing, places, systemClock).call(call);
  },
};

function wireTo(host: string): OpenAiWire {
  return new OpenAiWire(remoteTarget(outgoing, { secretKey: 'k', baseURL: `http://${host}/v1`, organization: '' }));
}

/** A program that asks through the proxy, as ffmpeg and yt-dlp do. */
async function askProxy(host: string, isReader: boolean): Promise<number | undefined> {
  const proxy = new OutgoingProxy();
  onTestFinished(() => proxy.close());
  const address = new URL(await proxy.addressFor({ host, ownNetwork: 'typed', isReader }));
  const credential = Buffer.from(`${address.username}:${address.password}`).toString('base64');
  const asked = request({
    hostname: address.hostname,
    port: address.port,
    path: `http://${host}/x.ts`,
    agent: false,
    headers: { 'proxy-authorization': `Basic ${credential}` },
    signal: AbortSignal.timeout(withinMs),
  }).end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.on('error', reject).on('response', resolve),
  );
  answer.on('error', () => undefined).resume();
  return answer.statusCode;
}

/** Result of a conversation, if it ended. */
async function endOf(conversation: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve('never ended'), 15_000)));
  const end = conversation.catch((error: unknown) => (error instanceof Error ? 'failed' : 'threw what is no error'));
  return Promise.race([end, late]).finally(() => clearTimeout(timer));
}

describe('S35: a hostile peer causes one failed call and nothing else when it answers with', () => {
  it.each(Object.entries(hostileAnswers))('%s', async (_name, speech) => {
    const [authority, proxy] = [await hostilePeer(speech, pair), await hostilePeer(speech)];
    const ends = await Promise.all([
      ...Object.entries(conversations).map(async ([name, converse]) => [
        name,
        await endOf(converse(await hostilePeer(speech))),
      ]),
      endOf(orderCertificate(authority)).then((end) => ['authority', end]),
    ]);
    expect(ends.filter(([, end]) => end === 'never ended' || end === 'threw what is no error')).toEqual([]);
    expect(ends).toContainEqual(['authority', 'failed']);
    for (const isReader of [false, true]) {
      expect(await endOf(askProxy(proxy, isReader))).toSatisfy(
        (end: unknown) => end === 'failed' || (typeof end === 'number' && end >= 200 && end <= 599),
      );
    }
  });
});
