import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { expectFailure, expectStandardHeaders, mutedLog } from '../answers.fixture.ts';
import { openFrontDoor, startControl, stopControl } from '../front-door.fixture.ts';
import { bytesOf, megabytes, untilStill } from './control-proxy.fixture.ts';
import { Caller, callPath, isPlain, postText } from './plain-call.fixture.ts';

const echo: RequestListener = async (req, res) => {
  const body = Buffer.concat(await req.toArray());
  res.setHeader('Content-Length', body.length);
  res.end(body);
};

test('passes a plain call on unchanged, repeatedly on one connection to each side', async () => {
  const sockets = new Set();
  const { port } = await openFrontDoor({}, (req, res) => {
    sockets.add(req.socket);
    echo(req, res);
  });
  const caller = await Caller.dial(port);
  const every = Array.from({ length: 256 }, (_, value) => String.fromCharCode(value)).join('');
  for (const body of ['{}', '', every, 'x'.repeat(20_000), '{}']) {
    const got = await caller.sendRequest(postText(body, ['Connection: keep-alive']));
    expect([got.status, got.headers['content-length'], isPlain(got)]).toEqual([200, String(body.length), true]);
    expectStandardHeaders(got);
  }
  expect(sockets.size).toBe(1);
});

test('sends the control plane the same request as the full proxy does', async () => {
  const seen: string[][] = [];
  const trusted = { config: { trustedProxies: ['127.0.0.0/8'] } };
  const lines = [
    'Authorization: Bearer a',
    'authorization: Bearer b',
    'X-Odd:  a b ',
    'X-Latin: \u00e9',
    'Proxy-Authorization: c',
    'X-Weir-Peer: direct',
    'x-weir-accepted: 1',
    'X-Forwarded-For: 192.0.2.1, 10.0.0.1',
    'X-Real-Host: live.example',
    'X-Forwarded-Proto: https',
    'Via: 1.1 proxy',
    'HTTP2-Settings: d',
    'Connection: keep-alive',
  ];
  for (const options of [{}, trusted]) {
    const { port } = await openFrontDoor(options, (req, res) => {
      seen.push(req.rawHeaders.map((text) => text.replace(/^\[127\.0\.0\.1\]:\d+ /, '')));
      echo(req, res);
    });
    const [plain, long] = [await Caller.dial(port), await Caller.dial(port)];
    expect(isPlain(await plain.sendRequest(postText('{}', lines)))).toBe(true);
    expect(isPlain(await long.sendRequest(postText('{}', lines, '/api/x')))).toBe(false);
    const [first, second] = seen.splice(0);
    expect(first?.filter((text) => text !== 'Connection')).toContain('X-Forwarded-For');
    // Node's connection headers concern only the hop between the planes.
    expect(first).toEqual(second?.slice(0, second.indexOf('Connection')));
  }
});

test('sends the client the same response as the full proxy does, without internal headers', async () => {
  const { port } = await openFrontDoor({}, (_req, res) => {
    res.writeHead(422, [
      'Content-Length',
      '2',
      'Content-Type',
      'application/json',
      'X-Two',
      'a',
      'X-Two',
      'b',
      'Retry-After',
      '7',
      'X-Weir-Accepted',
      '1',
      'Access-Control-Allow-Origin',
      'other',
      'Set-Cookie',
      'a=b',
      'X-Private',
      'hop',
      'Server',
      'other',
      'Connection',
      'keep-alive, X-Private',
    ]);
    res.end('no');
  });
  const [plain, long] = [await Caller.dial(port), await Caller.dial(port)];
  const [a, b] = [await plain.sendRequest(postText('{}')), await long.sendRequest(postText('{}', [], '/api/x'))];
  expect([isPlain(a), isPlain(b)]).toEqual([true, false]);
  const ownHop = ['date', 'keep-alive', 'connection'];
  const told = ({ rawHeaders }: typeof a) =>
    rawHeaders.flatMap((name, index) =>
      index % 2 === 0 && !ownHop.includes(name.toLowerCase()) ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    );
  expect(told(a)).toEqual(told(b));
  expect([a.status, a.text, a.headers.date]).toEqual([b.status, b.text, expect.stringMatching(/GMT$/)]);
});

test('answers pipelined calls in order', async () => {
  const { port } = await openFrontDoor({}, echo);
  const caller = await Caller.dial(port);
  const first = caller.sendRequest(postText('one'));
  caller.socket.write(postText('two') + postText('three'));
  expect((await first).text).toBe('one');
  expect([(await caller.next()).text, (await caller.next()).text]).toEqual(['two', 'three']);
});

test.each([
  ['chunks', `POST ${callPath} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
  ['a query', postText('{}', [], `${callPath}?a=1`)],
  ['an escape', postText('{}', [], `${callPath}%2f`)],
  ['a point', postText('{}', [], '/terraform/v1/hooks/record/hls/a.m3u8')],
  ['very many fields', postText('{}', Array(101).fill('A: b'))],
])('%s: uses the full proxy and gets the same answer', async (_name, request) => {
  const { port } = await openFrontDoor({}, echo);
  const got = await (await Caller.dial(port)).sendRequest(request);
  expect([got.status, got.text, isPlain(got)]).toEqual([200, '{}', false]);
});

test.each([
  ['two lengths', postText('{}', ['Content-Length: 3'])],
  ['a length and chunks', postText('{}', ['Transfer-Encoding: chunked'])],
  ['two hosts', postText('{}', ['Host: b'])],
  ['a length that is no number', postText('{}').replace('Length: 2', 'Length: +2')],
])('%s: is refused without a request to the control plane', async (_name, request) => {
  const heard = vi.fn();
  const { port } = await openFrontDoor({}, heard);
  expectFailure(await (await Caller.dial(port)).sendRequest(request), 400, 1004);
  expect(heard).not.toHaveBeenCalled();
});

test('delivers a large answer completely, at the pace of the client', async () => {
  const total = 64;
  let produced = 0;
  const { port } = await openFrontDoor({}, (_req, res) => {
    res.setHeader('Content-Length', total << 20);
    const source = megabytes(total);
    source.on('data', () => {
      produced++;
    });
    source.pipe(res);
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const headers = { 'Content-Length': 2 };
  const req = request({ host: '127.0.0.1', port, path: callPath, method: 'POST', headers, agent }).end('{}');
  const [res]: IncomingMessage[] = await once(req, 'response');
  expect(res?.headers['keep-alive']).toBeUndefined();
  await untilStill(() => produced);
  expect(produced).toBeLessThan(total / 2);
  expect(res && (await bytesOf(res))).toBe(total << 20);
});

test('answers 503 with Retry-After while the control plane is down, and works again on the same connection', async () => {
  const { port, controlSocket } = await openFrontDoor();
  const caller = await Caller.dial(port);
  const away = await caller.sendRequest(postText('{}'));
  expectFailure(away, 503, 1);
  expect([away.headers['retry-after'], isPlain(away)]).toEqual(['1', true]);
  const first = await startControl(controlSocket, echo);
  expect(await caller.sendRequest(postText('a'))).toMatchObject({ status: 200, text: 'a' });
  await stopControl(first);
  expect(await caller.sendRequest(postText('{}'))).toMatchObject({ status: 503 });
  await startControl(controlSocket, echo);
  expect(await caller.sendRequest(postText('b'))).toMatchObject({ status: 200, text: 'b' });
});

test.each<[string, number, (req: IncomingMessage, res: ServerResponse) => void]>([
  ['closes before it answers', 503, (req) => req.socket.destroy()],
  ['closes in the head of its answer', 503, (req) => req.socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ['never answers', 504, () => undefined],
  ['sends no HTTP', 502, (req) => req.socket.write('NONSENSE\r\n\r\n')],
  ['sends an endless head', 502, (req) => req.socket.write(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(70_000)}`)],
  [
    'sends two lengths',
    502,
    (req) => req.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nab'),
  ],
  ['sends more than it said', 502, (req) => req.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab')],
  ['sends an answer without a length', 502, (_req, res) => res.writeHead(200).end('ab')],
])(
  'a control plane that %s: answers %d and opens a new connection for the next call',
  async (_name, status, trouble) => {
    let isWell = false;
    const { port } = await openFrontDoor({ log: mutedLog, limits: { answerMs: 200 } }, (req, res) => {
      if (isWell) echo(req, res);
      else trouble(req.resume(), res);
    });
    const caller = await Caller.dial(port);
    expectFailure(await caller.sendRequest(postText('{}')), status, 1);
    isWell = true;
    expect(await caller.sendRequest(postText('again'))).toMatchObject({ status: 200, text: 'again' });
  },
);

test('closes the connection when an answer ends early', async () => {
  const { port } = await openFrontDoor({}, (req) => {
    req.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab');
  });
  const caller = await Caller.dial(port);
  await expect(caller.sendRequest(postText('{}'))).rejects.toThrow('gone');
});

test('stops waiting when the client disconnects', async () => {
  const left = vi.fn();
  const heard = vi.fn();
  const { port } = await openFrontDoor({}, (req) => {
    heard();
    req.resume().socket.once('close', left);
  });
  const caller = await Caller.dial(port);
  caller.socket.write(postText('{}'));
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
  caller.socket.destroy();
  await vi.waitFor(() => expect(left).toHaveBeenCalledOnce());
});

test('limits anonymous clients of one network to their share and reserves slots for signed-in clients', async () => {
  const waiting: ServerResponse[] = [];
  const limits = { perNetwork: { network: 2, site: 2, region: 2 } };
  const { port } = await openFrontDoor({ limits }, (req, res) => {
    if (req.headers.authorization === undefined) waiting.push(res);
    else res.setHeader('X-Weir-Accepted', '1').end('known');
  });
  const authorization = ['Authorization: Bearer the-real-one'];
  const signedIn = await Caller.dial(port);
  expect(await signedIn.sendRequest(postText('{}', authorization))).toMatchObject({ text: 'known' });
  const held = await Promise.all([Caller.dial(port), Caller.dial(port)]);
  const answers = held.map((caller) => caller.sendRequest(postText('{}')));
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  expectFailure(await (await Caller.dial(port)).sendRequest(postText('{}')), 503, 1);
  expect(await signedIn.sendRequest(postText('{}', authorization))).toMatchObject({ text: 'known' });
  for (const res of waiting.splice(0)) res.end('done');
  expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(['done', 'done']);
  const [again] = held;
  const last = again?.sendRequest(postText('{}'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  waiting.pop()?.end('room');
  expect(await last).toMatchObject({ text: 'room' });
});

test('ends the oldest call of the largest region when all slots are used', async () => {
  const waiting: ServerResponse[] = [];
  const config = { trustedProxies: ['127.0.0.1'] };
  const { port } = await openFrontDoor({ limits: { maxUpstream: 2 }, config }, (_req, res) => waiting.push(res));
  const from = async (address: string) =>
    (await Caller.dial(port)).sendRequest(postText('{}', [`X-Forwarded-For: ${address}`]));
  const oldest = from('192.0.2.1');
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  const other = from('192.0.2.2');
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  const newcomer = from('203.0.113.1');
  expectFailure(await oldest, 503, 1);
  await vi.waitFor(() => expect(waiting).toHaveLength(3));
  for (const res of waiting) res.end('done');
  expect((await Promise.all([other, newcomer])).map(({ text }) => text)).toEqual(['done', 'done']);
});

test('ends idle connections on close and lets a running call finish', async () => {
  const waiting: ServerResponse[] = [];
  const { door, port } = await openFrontDoor({}, (_req, res) => waiting.push(res));
  const [idle, busy] = [await Caller.dial(port), await Caller.dial(port)];
  const first = idle.sendRequest(postText('{}'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  waiting.pop()?.end('done');
  await first;
  const running = busy.sendRequest(postText('{}'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  const closed = door.close();
  await once(idle.socket, 'close');
  waiting.pop()?.end('finished');
  expect(await running).toMatchObject({ status: 200, text: 'finished' });
  await closed;
});
