import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { canHide, type FailureCause, type HiddenOptions, PrepareError } from '@weir/process';
import { classifyAddress } from '../address-class.ts';
import { OutgoingError, type OutgoingFailure } from '../outgoing-error.ts';
import { type CheckedTarget, checkTarget, type OwnNetwork, parseTarget, type Resolve } from '../outgoing-target.ts';
import type { OwnNames } from '../own-names.ts';
import type { OutgoingProxy } from './outgoing-proxy.ts';
import type { OutgoingRelay } from './outgoing-relay.ts';
import { readerAddress } from './reader-address.ts';
import { rtmpNames } from './rtmp-address.ts';

/** Input address for ffmpeg, with options in front of it. */
interface MediaInput {
  readonly url: string;
  readonly options: readonly string[];
  readonly secrets: readonly string[];
}

/** Output address for ffmpeg. Secrets stand in `hidden`. */
interface MediaOutput {
  readonly url: string;
  readonly hidden: HiddenOptions;
}

/** Endpoint of this server, reached from itself. */
export interface OwnEndpoint {
  readonly host: string;
  readonly port: number;
}

/** This server as a source: its streams are read from inside, by programs that the engine knows as ours. */
export interface OwnStreams {
  /** Internal form of an own address; undefined for any other. `hosts` are the addresses its host resolves to. */
  inside(url: string, hosts?: readonly string[]): Promise<string | undefined>;
  /** True if its stream is live now or within the time that players wait. */
  isLive(url: string): Promise<boolean>;
  /** Secrets in such addresses, for redaction. */
  readonly secrets: readonly string[];
}

interface Context {
  readonly proxy: OutgoingProxy;
  readonly relay: OutgoingRelay;
  readonly names: OwnNames;
  readonly own?: OwnStreams;
  readonly resolve?: Resolve | undefined;
}

interface MediaAddress {
  readonly scheme: string;
  /** With its `@`, or empty. */
  readonly login: string;
  readonly hostname: string;
  readonly port: number;
  /** Path and query, as they were written. */
  readonly rest: string;
}

const confirmMs = 4000;
const usualPorts: Readonly<Record<string, number>> = {
  rtmp: 1935,
  rtmps: 443,
  rtsp: 554,
  rtsps: 322,
  http: 80,
  https: 443,
};

/**
 * The way out for streams, in both directions. Where a name leads is looked up at the start of each run and judged; ffmpeg is then
 * given the address that was judged, or a way through our proxy or relay where the protocol needs the name.
 */
export class OutgoingMedia {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Checks an address that an administrator saves. Addresses in the own network are allowed on purpose, and unknown names are no error yet. */
  async confirm(url: string): Promise<void> {
    const looking = this.#confirm(url);
    // A name server that does not answer must not block saving: each start resolves again.
    looking.catch(() => undefined);
    await Promise.race([looking, sleep(confirmMs, undefined, { ref: false })]);
  }

  async input(url: string): Promise<MediaInput> {
    const inside = await this.#insideOf(url);
    if (inside === undefined) return this.#input(url);
    const { secrets, ...input } = await this.#input(inside);
    return { ...input, secrets: [...secrets, ...this.ownSecrets] };
  }

  /** State of an own address: its stream is live, or came within the time that players wait. */
  async awaitOwn(url: string): Promise<'elsewhere' | 'live' | 'absent'> {
    const { own } = this.#context;
    if (!own || (await this.#insideOf(url)) === undefined) return 'elsewhere';
    return (await own.isLive(url)) ? 'live' : 'absent';
  }

  /** Texts in what `input` gives for addresses of this server. */
  get ownSecrets(): readonly string[] {
    return this.#context.own?.secrets ?? [];
  }

  async #input(url: string): Promise<MediaInput> {
    const address = addressOf(url);
    const { scheme, login, hostname, port, rest } = address;
    if (scheme === 'srt') return { url: `srt://${await this.#pin(address)}${rest}`, options: [], secrets: [] };
    if (scheme === 'rtmp') {
      const app = rtmpNames(rest)?.app;
      const options = app === undefined ? [] : ['-rtmp_tcurl', `rtmp://${hostname}:${port}/${app}`];
      return { url: `rtmp://${login}${await this.#pin(address)}${rest}`, options, secrets: [] };
    }
    const ownNetwork = await this.#judge(address);
    if (scheme.startsWith('rtsp')) {
      const isTls = scheme === 'rtsps';
      const target = { hostname: bare(hostname), port, isTls, ownNetwork };
      await this.#context.relay.reach(target);
      const door = await this.#context.relay.doorTo(target);
      return { url: `rtsp://${login}${door}${rest}`, options: [], secrets: [] };
    }
    const isReader = scheme !== 'rtmps';
    const proxy = await this.#context.proxy.addressFor({ host: mediaHost(url), ownNetwork, isReader });
    return {
      url: isReader ? readerAddress(parseTarget(url)) : url,
      options: ['-http_proxy', proxy],
      secrets: [new URL(proxy).password],
    };
  }

  /** `own`: the destination is this server under one of its names, and is reached over loopback. */
  async output(url: string, own?: OwnEndpoint): Promise<MediaOutput> {
    const address = addressOf(url);
    const { scheme, login, hostname, port, rest } = address;
    if (scheme === 'srt') return srtOutput(own ? `${own.host}:${own.port}` : await this.#pin(address), rest);
    const names = rtmpNames(rest);
    if (scheme === 'rtmp') {
      const place = own ? `${own.host}:${own.port}` : await this.#pin(address);
      return rtmpOutput(`rtmp://${login}${place}`, rest, names, [
        ['rtmp_tcurl', `rtmp://${hostname}:${port}/${names?.app ?? ''}`],
      ]);
    }
    const ownNetwork = await this.#judge(address);
    const proxy = await this.#context.proxy.addressFor({ host: mediaHost(url), ownNetwork, isReader: false });
    return rtmpOutput(`rtmps://${login}${hostname}:${port}`, rest, names, [['http_proxy', proxy]]);
  }

  /** Decides by the host name, or by its addresses; an unresolvable one is not local. */
  async #insideOf(url: string): Promise<string | undefined> {
    const { own } = this.#context;
    if (!own) return undefined;
    const named = await own.inside(url);
    if (named !== undefined) return named;
    const { hostname } = addressOf(url);
    if (isIP(bare(hostname)) !== 0) return undefined;
    const { addresses } = await this.#checked(hostname);
    return own.inside(
      url,
      addresses.map(({ address }) => address),
    );
  }

  async #confirm(url: string): Promise<void> {
    const { names, resolve, own } = this.#context;
    if ((await own?.inside(url)) !== undefined) return;
    const { hostname } = addressOf(url);
    try {
      const { addresses } = await checkTarget(webAddress(hostname), 'named', resolve);
      const isOwn = isIP(bare(hostname)) === 0 && addresses.some(({ address }) => classifyAddress(address) === 'own');
      if (isOwn) await names.add(hostname);
    } catch (error) {
      if (!(error instanceof OutgoingError) || error.failure !== 'unknown-name') throw error;
    }
  }

  /** Looks before anything is started, so that a refusal has words; the proxy and the relay look again for each connection. */
  async #judge({ hostname }: MediaAddress): Promise<OwnNetwork> {
    return (await this.#checked(hostname)).ownNetwork;
  }

  async #checked(hostname: string): Promise<CheckedTarget & { readonly ownNetwork: OwnNetwork }> {
    const ownNetwork = (await this.#context.names.has(hostname)) ? 'named' : 'typed';
    return { ownNetwork, ...(await checkTarget(webAddress(hostname), ownNetwork, this.#context.resolve)) };
  }

  /** `address:port` of what the name leads to now. */
  async #pin({ hostname, port }: MediaAddress): Promise<string> {
    const { addresses } = await this.#checked(hostname);
    // The older kind first: what listens on one only mostly listens on that.
    const [chosen] = [...addresses].sort((a, b) => a.family - b.family);
    const text = chosen?.family === 6 ? `[${chosen.address}]` : (chosen?.address ?? '');
    return `${text}${port > 0 ? `:${port}` : ''}`;
  }
}

/** For starts of programs: the same, with a refusal as the failure of the start. */
export async function preparing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const cause = causes[error.failure] ?? faults[error.fact] ?? 'connection-lost';
    throw new PrepareError(cause, error.message, error);
  }
}

const causes: Partial<Record<OutgoingFailure, FailureCause>> = {
  'forbidden-address': 'address-forbidden',
  'own-network': 'address-forbidden',
  'unknown-name': 'name-unknown',
  'bad-url': 'address-invalid',
};

/** Causes of failed connections by the system's error code. */
const faults: Readonly<Record<string, FailureCause>> = {
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  ETIMEDOUT: 'timed-out',
};

/** `name:port` of an address, by which the proxy identifies the caller. */
export function mediaHost(url: string): string {
  const { hostname, port } = addressOf(url);
  return `${hostname}:${port}`;
}

function addressOf(url: string): MediaAddress {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/s.exec(authority.slice(at)) ?? [];
  const name = scheme.toLowerCase();
  return {
    scheme: name,
    login: authority.slice(0, at),
    hostname: webAddress(host).hostname,
    port: port === undefined ? (usualPorts[name] ?? 0) : Number(port),
    rest,
  };
}

/** The parser of web addresses knows every spelling of an IP address; what it knows is what is checked. */
function webAddress(host: string): URL {
  return parseTarget(`http://${host}/`);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function rtmpOutput(
  place: string,
  rest: string,
  names: ReturnType<typeof rtmpNames>,
  more: HiddenOptions,
): MediaOutput {
  const options = (names ? [['rtmp_app', names.app], ['rtmp_playpath', names.playPath], ...more] : more).filter(
    ([, value]) => value !== '',
  ) as HiddenOptions;
  // A value too long for a line stays in the address: working matters more than hiding.
  const isHidden = names !== undefined && options.every(([name, value]) => canHide(name, value));
  return isHidden
    ? { url: `${place}/`, hidden: options }
    : { url: `${place}${rest}`, hidden: more.filter(([name]) => name === 'http_proxy') };
}

/** The id of the stream and the passphrase are options as well. */
function srtOutput(place: string, rest: string): MediaOutput {
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const hidden: [string, string][] = [];
  const shown = query.split('&').filter((pair) => {
    const [, name = '', value = ''] = /^(streamid|passphrase)=(.*)$/s.exec(pair) ?? [];
    const option = name === 'streamid' ? 'srt_streamid' : name;
    const text = name === 'streamid' ? decoded(value) : value.replaceAll('+', ' ');
    if (name === '' || !canHide(option, text)) return pair !== '';
    hidden.push([option, text]);
    return false;
  });
  return { url: `srt://${place}${path}${shown.length > 0 ? `?${shown.join('&')}` : ''}`, hidden };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
