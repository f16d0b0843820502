import { hostname, networkInterfaces } from 'node:os';
import type { Config, Listen } from '@weir/plane';
import type { OwnAddresses, OwnProtocol } from '@weir/streams';
import type { OwnEndpoint } from '../core/outgoing/media/outgoing-media.ts';
import type { MediaServer } from '../media-server/media-server.ts';

interface Context {
  readonly mediaServer: Pick<MediaServer, 'health'>;
  readonly config: Pick<
    Config,
    'srs' | 'rtmp' | 'srt' | 'http' | 'https' | 'extraHttp' | 'published' | 'mediaHost' | 'candidate'
  >;
}

/** Listening addresses, seen from inside and as others know them. */
interface Doors {
  readonly inside: Readonly<Record<OwnProtocol, OwnEndpoint>>;
  readonly own: OwnAddresses;
}

/** The ports of this server, and the names it goes by. */
export class OwnEndpoints {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Rejects where only the engine knows a port, which the system chose, and is away. */
  async look(): Promise<Doors> {
    const { config, mediaServer } = this.#context;
    const chosen = [config.rtmp, config.srt, config.http, config.https, config.extraHttp];
    const isKnown = chosen.every((listen) => listen?.port !== 0);
    const listeners = isKnown ? [] : (await mediaServer.health()).listeners;
    const heard = (protocol: string) =>
      listeners.filter((listener) => listener.protocol === protocol).map(({ port }) => port);
    const portOf = (listen: Listen, protocol: string) => listen.port || (heard(protocol)[0] ?? 0);
    const inside = {
      rtmp: { host: hostOf(config.rtmp), port: portOf(config.rtmp, 'rtmp') },
      srt: { host: hostOf(config.srt), port: portOf(config.srt, 'srt') },
      http: { host: hostOf(config.http), port: portOf(config.http, 'http') },
    };
    const { published, extraHttp } = config;
    const own = {
      hosts: ownHosts(
        config.candidate,
        config.mediaHost.replace(/^\[|\]$/g, ''),
        config.srs ? (config.rtmp.host ?? '') : '',
      ),
      rtmpPorts: ports(inside.rtmp.port, Number(published.rtmp)),
      srtPorts: ports(inside.srt.port, Number(published.srt)),
      httpPorts: ports(inside.http.port, extraHttp?.port ?? 0, Number(published.http), ...heard('http')),
      httpsPorts: ports(portOf(config.https, 'https')),
    };
    return { inside, own };
  }
}

/** Loopback, unless the engine listens elsewhere only. */
function hostOf({ host }: Listen): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function ports(...numbers: readonly number[]): ReadonlySet<number> {
  return new Set(numbers.filter((port) => port > 0));
}

function ownHosts(candidate: string, ...others: readonly string[]): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  const named = candidate.split(',').map((name) => name.trim());
  return new Set(
    [...addresses, ...named, hostname(), ...others].map((host) => host.toLowerCase()).filter((host) => host !== ''),
  );
}
