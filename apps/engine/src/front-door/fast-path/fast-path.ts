import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CallerReader } from '../../http/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { MediaReplies } from '../../http/media-replies.ts';
import type { Reply } from '../../http/reply.ts';
import type { OpenConnections } from '../open-connections.ts';
import { FastPathConnection } from './fast-path-connection.ts';
import type { FastPathExchange } from './fast-path-exchange.ts';

export interface FastPathOptions {
  readonly reply: Reply;
  readonly mediaReplies: MediaReplies;
  readonly callers: CallerReader;
  readonly headersMs: number;
  readonly keepAliveMs: number;
  /** True if a request target belongs to the media servers. */
  readonly isMedia: (method: string, url: string) => boolean;
  readonly serve: (exchange: Exchange) => void;
  /** True if a request target is a call of the control plane that may be passed on unchanged. */
  readonly isCall: (url: string) => boolean;
  readonly forward: (exchange: FastPathExchange) => void;
  /** Is told which connections have a request in hand. */
  readonly connections: Pick<OpenConnections, 'setBusy' | 'setWaiting'>;
}

const mostVerdicts = 2000;

/**
 * A short way for the requests that make up nearly all traffic: viewers asking for media in the plainest form, and
 * programs calling the control plane in it. They are read and answered here, without the objects Node's HTTP server makes for each request and keeps for each viewer. A
 * connection stays as long as its requests are of that kind; with the first that is not, the connection goes to Node's
 * server for good, that request included.
 */
export class FastPath {
  readonly #options: FastPathOptions;
  readonly #connections = new Set<FastPathConnection>();
  /** Verdicts of recent paths: thousands of clients request the same few. */
  readonly #verdicts = new Map<string, boolean>();
  readonly #judge: FastPathOptions['isMedia'];
  #isClosing = false;

  constructor(options: FastPathOptions) {
    this.#options = { ...options, isMedia: (method, url) => this.#isMedia(method, url) };
    this.#judge = options.isMedia;
  }

  /** Steps in front of the HTTP server's own listener for new connections. */
  install(server: Server, event: 'connection' | 'secureConnection'): void {
    const listeners = server.listeners(event);
    server.removeAllListeners(event);
    const handOver = (socket: Socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on(event, (socket: Socket) => {
      if (this.#isClosing) {
        handOver(socket);
        return;
      }
      const connection: FastPathConnection = new FastPathConnection(socket, {
        ...this.#options,
        handOver,
        onLeft: () => this.#connections.delete(connection),
      });
      this.#connections.add(connection);
    });
  }

  /** By the path alone. What could be wrong with a query, a plain head has not. */
  #isMedia(method: string, url: string): boolean {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const known = this.#verdicts.get(path);
    if (known !== undefined) return known;
    if (this.#verdicts.size >= mostVerdicts) this.#verdicts.clear();
    const verdict = this.#judge(method, url);
    this.#verdicts.set(path, verdict);
    return verdict;
  }

  /** Ends connections between requests, at once and as soon as they are. */
  close(): void {
    this.#isClosing = true;
    for (const connection of this.#connections) connection.close();
  }
}
