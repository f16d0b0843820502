import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { systemApi } from '@weir/contract';
import { privateHeaders } from '@weir/engine-api';
import { WeirError } from '../core/errors.ts';
import { standbyMark } from '../core/http/call.ts';
import { https } from '../core/secure-modules.ts';

/** Longest silence of a connection to the leader; live answers send something more often. */
const silenceMs = 120_000;
const mostConnections = 256;
const mostHeaderBytes = 32 * 1024;

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|x-weir-.*)$/;

/**
 * Server on the private socket of a standby: calls and pages are proxied to the leader with the caller's credentials.
 * The engine beside it is told to refuse publishers, because no one would manage the stream.
 */
export function standbyServer(leader: () => string | undefined): Server {
  const limits = { keepAlive: true, maxSockets: mostConnections, timeout: silenceMs };
  const [agent, secureAgent] = [new Agent(limits), new (https().Agent)(limits)];
  const server = createServer({ maxHeaderSize: mostHeaderBytes }, (req, res) => {
    const target = leader();
    if (req.headers[privateHeaders.hookToken] !== undefined)
      return refuse(res, 'this server is on standby; publish to the leading server');
    if (req.url?.split('?')[0] === systemApi.lead.path) return refuse(res, 'this server is on standby');
    if (target === undefined)
      return refuse(res, 'no server is leading right now; try again in a few seconds', noLeader);
    // Two that each believe the other leads would pass it on for ever.
    if (String(req.headers.via).includes(standbyMark))
      return refuse(res, 'another server is taking over; try again', noLeader);
    const isSecure = target.startsWith('https:');
    const options: RequestOptions = {
      method: req.method ?? 'GET',
      path: req.url ?? '/',
      headers: passedOn(req.headers),
    };
    const asked = isSecure
      ? https().request(target, { ...options, agent: secureAgent })
      : request(target, { ...options, agent });
    passOn(
      req,
      asked.on('timeout', () => asked.destroy()),
      res,
    );
  });
  server.on('close', () => {
    agent.destroy();
    secureAgent.destroy();
  });
  return server;
}

function passOn(req: IncomingMessage, asked: ReturnType<typeof request>, res: ServerResponse): void {
  const fail = () => {
    if (res.headersSent) res.destroy();
    else refuse(res, 'the leading server is not responding; try again in a few seconds', noLeader);
  };
  asked.on('error', fail);
  asked.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, kept(answer.headers));
    pipeline(answer, res, () => undefined);
  });
  res.on('close', () => {
    if (!res.writableFinished) asked.destroy();
  });
  // The sender notices by itself; a truncated request is the leader's error, handled above.
  req.on('error', () => asked.destroy()).pipe(asked);
}

function passedOn(headers: IncomingHttpHeaders) {
  return { ...kept(headers), via: [headers.via, `1.1 ${standbyMark}`].filter(Boolean).join(', ') };
}

function kept(headers: IncomingHttpHeaders) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hopByHop.test(name) ? [] : [[name, value]],
    ),
  );
}

/** Passes by itself: the console says so in the reader's words. */
const noLeader = { why: { kind: 'no-leader', fact: '' } };

function refuse(res: ServerResponse, message: string, more: object = {}): void {
  const { code, status } = new WeirError('store_unavailable', message);
  res.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
  res.end(JSON.stringify({ code, data: { message, ...more } }));
}
