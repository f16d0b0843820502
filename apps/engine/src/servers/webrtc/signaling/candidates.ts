import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '@weir/streams';

interface Settings {
  /** CANDIDATE: addresses or names with commas. */
  readonly candidate: string;
  readonly nameLookup: boolean;
  readonly inDocker: boolean;
  readonly rtc: { readonly host: string | undefined };
}

interface Asked {
  /** The parameter `eip`. */
  readonly eip: string;
  /** Host by which the client reached this server, with or without a port. */
  readonly host: string;
}

/** Time limit for a name, after which the viewer gets only the other candidates. */
const lookupMs = 1500;
const rememberMs = 60_000;
const mostRemembered = 64;
const mostLookups = 8;
/** Address limit for one name. A client has IPv4, IPv6 or both, and tries what it can. */
const mostOfName = 4;

/** Hosts to listen on that mean all addresses. */
const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

type ResolveName = (name: string) => Promise<readonly string[]>;

const resolveAll: ResolveName = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** Addresses that a WebRTC client may send to, the most likely first. */
export class Candidates {
  readonly #settings: Settings;
  readonly #interfaces: () => readonly string[];
  readonly #resolveName: ResolveName;
  readonly #known = new Map<string, { readonly addresses: readonly string[]; readonly untilMs: number }>();
  #lookups = 0;

  constructor(
    settings: Settings,
    interfaces: () => readonly string[] = ownAddresses,
    resolveName: ResolveName = resolveAll,
  ) {
    const { host } = settings.rtc;
    this.#settings = settings;
    // Browsers try addresses one by one, 50 ms apart, so unreachable ones delay the first frame.
    this.#interfaces = host === undefined || everyAddress.has(host) ? interfaces : () => [host];
    this.#resolveName = resolveName;
  }

  async of({ eip, host }: Asked): Promise<string[]> {
    if (isIP(eip) !== 0) return [eip];
    const set = this.#settings.candidate.split(',').map((part) => part.trim());
    const found = (await Promise.all(set.filter((part) => part !== '').map((part) => this.#resolve(part)))).flat();
    if (this.#settings.nameLookup) found.push(...(await this.#ofHost(hostWithoutPort(host))));
    const usable = [...new Set(found)];
    return usable.length > 0 ? usable : [...this.#interfaces()];
  }

  async #ofHost(host: string): Promise<readonly string[]> {
    const addresses = await this.#resolve(host);
    if (!addresses.some(isLoopback)) return addresses;
    // Inside a container its own addresses mean nothing outside.
    if (this.#settings.inDocker) return this.#settings.candidate === '' ? ['127.0.0.1'] : [];
    // A browser on this machine reaches the machine's own address; loopback only if it is told to use that.
    return [...this.#interfaces(), ...addresses];
  }

  async #resolve(name: string): Promise<readonly string[]> {
    if (isIP(name) !== 0) return [name];
    if (name === 'localhost') return ['127.0.0.1'];
    const now = Date.now();
    const known = this.#known.get(name);
    if (known && known.untilMs > now) return known.addresses;
    // Names come from strangers: few lookups at once, and few answers kept.
    if (name === '' || this.#lookups >= mostLookups) return [];
    this.#lookups += 1;
    const answer = this.#resolveName(name)
      .catch(() => [])
      .finally(() => {
        this.#lookups -= 1;
      });
    const addresses = (await Promise.race([answer, sleep(lookupMs, [], { ref: false })])).slice(0, mostOfName);
    if (addresses.length === 0) return [];
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(name, { addresses, untilMs: now + rememberMs });
    return addresses;
  }
}

/** `name:80`, `192.0.2.1:80`, `[2001:db8::1]:80` or any of them without a port. */
export function hostWithoutPort(host: string): string {
  return /^\[([^\]]*)\]/.exec(host)?.[1] ?? (isIP(host) === 6 ? host : (host.split(':')[0] ?? ''));
}

/** Addresses of this machine that others can reach: wired ones first, IPv4 before IPv6. */
function ownAddresses(): string[] {
  const named = Object.entries(networkInterfaces()).flatMap(([name, list]) =>
    (list ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
      .map((entry) => ({ name, ...entry })),
  );
  const rank = ({ name, family }: { name: string; family: string }) =>
    (/^(en|eth)/.test(name) ? 0 : 2) + (family === 'IPv4' ? 0 : 1);
  const best = named.sort((a, b) => rank(a) - rank(b)).slice(0, 4);
  return best.length > 0 ? best.map(({ address }) => address) : ['127.0.0.1'];
}
