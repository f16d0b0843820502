import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Fault = 'none' | 'missing' | 'broken' | 'late' | 'slow';

const lateMs = 2500;
const slowBytes = 4096;
const slowStepMs = 40;

/** Stands before a server and does to its media what bad networks and overloaded caches do. */
export class ChaosProxy {
  readonly #server: Server;
  readonly #upstream: URL;
  /** What happens to each segment in turn, and again from the first. */
  plan: readonly Fault[] = ['none'];
  /** The same for playlists. */
  playlists: readonly Fault[] = ['none'];
  readonly served: Record<Fault, number> = { none: 0, missing: 0, broken: 0, late: 0, slow: 0 };
  #turn = { segments: 0, playlists: 0 };

  private constructor(origin: string) {
    this.#upstream = new URL(origin);
    this.#server = createServer((req, res) => void this.#serve(req, res).catch(() => res.destroy()));
  }

  static async start(origin: string): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(origin);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #faultOf(path: string): Fault {
    if (/\.(ts|m4s)$/.test(path)) return this.plan[this.#turn.segments++ % this.plan.length] ?? 'none';
    if (path.endsWith('.m3u8')) return this.playlists[this.#turn.playlists++ % this.playlists.length] ?? 'none';
    return 'none';
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const fault = this.#faultOf(req.url?.split('?')[0] ?? '');
    this.served[fault]++;
    if (fault === 'missing' || fault === 'broken') {
      res.writeHead(fault === 'missing' ? 404 : 500).end();
      return;
    }
    if (fault === 'late') await sleep(lateMs);
    const { hostname, port } = this.#upstream;
    const { method = 'GET', url: path = '/', headers } = req;
    const outgoing = request({ hostname, port, method, path, headers, agent: false });
    outgoing.on('error', () => res.destroy());
    outgoing.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      if (fault === 'slow') void trickle(answer, res).catch(() => res.destroy());
      else answer.pipe(res);
    });
    req.pipe(outgoing);
  }
}

async function trickle(from: AsyncIterable<Buffer>, to: ServerResponse): Promise<void> {
  for await (const chunk of from) {
    for (let at = 0; at < chunk.length; at += slowBytes) {
      to.write(chunk.subarray(at, at + slowBytes));
      await sleep(slowStepMs);
    }
  }
  to.end();
}
