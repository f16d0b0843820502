import { closeSync, openSync, readSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Boot, Config, PlaneName, ReadyFacts } from '@weir/plane';
import { prepareDataDirectory } from './data-directory.ts';
import { hookTokenFile, loadOrCreateToken } from './hook-token.ts';
import type { LogWriter } from './log-writer.ts';
import { PlaneProcess } from './plane-process.ts';

const planeNames: readonly string[] = ['engine', 'server'] satisfies PlaneName[];

/**
 * Plane to restart on request, if allowed. Only the control plane may ask, because it knows its callers; the media plane serves strangers.
 */
export function restartTarget(asking: PlaneName, wanted: unknown): PlaneName | undefined {
  return asking === 'server' && isPlaneName(wanted) ? wanted : undefined;
}

function isPlaneName(value: unknown): value is PlaneName {
  return typeof value === 'string' && planeNames.includes(value);
}

/** Entry file of a plane. */
type ResolveEntry = (plane: PlaneName) => string;

interface LauncherContext {
  readonly entryOf: ResolveEntry;
  readonly env: NodeJS.ProcessEnv;
  readonly log: LogWriter;
}

/** Starts both planes and keeps them running until `stop`. */
export class Launcher {
  readonly #config: Config;
  readonly #log: LogWriter;
  readonly planes: Record<PlaneName, PlaneProcess>;

  private constructor(boot: Boot, { entryOf, env, log }: LauncherContext) {
    this.#config = boot.config;
    this.#log = log;
    // Secrets reach the planes over a private channel, because every child inherits the environment.
    const {
      MGMT_PASSWORD: _p,
      SRS_PLATFORM_SECRET: _s,
      WEIR_SRT_PASSPHRASE: _srt,
      WEIR_SRS_API: _srs,
      WEIR_DEMO: _demo,
      ...rest
    } = env;
    const plane = (name: PlaneName) =>
      new PlaneProcess({
        name,
        entry: entryOf(name),
        boot,
        env: withoutProxies(rest),
        log,
        onChange: () => this.#sendStates(),
        onRestartRequested: (wanted) => this.#restartFor(name, wanted),
      });
    this.planes = { engine: plane('engine'), server: plane('server') };
  }

  static prepare(config: Config, surroundings: LauncherContext): Launcher {
    const sockets = prepareDataDirectory(config);
    // A separate SRS has the token in its configuration, so it must persist.
    const hookToken = config.srs ? loadOrCreateToken(hookTokenFile(config.dataDir)) : randomToken();
    return new Launcher({ config, sockets, hookToken, ownToken: randomToken() }, surroundings);
  }

  async start(): Promise<void> {
    const [engine, server] = await Promise.all([this.planes.engine.start(), this.planes.server.start()]);
    this.#announce({ ...engine, ...server });
  }

  async stop(): Promise<void> {
    await Promise.all([this.planes.engine.stop(), this.planes.server.stop()]);
  }

  /** Ends the planes for others that begin at once: media goes on while the control plane ends. */
  async makeRoom(): Promise<void> {
    await this.planes.server.stop();
    await this.planes.engine.stop();
  }

  #restartFor(asking: PlaneName, wanted: PlaneName): void {
    const plane = restartTarget(asking, wanted);
    if (!plane) {
      this.#log.log('warn', 'restart refused', { askedBy: asking });
      return;
    }
    this.#log.log('info', 'restarting a process on request', { plane });
    this.planes[plane]
      .restart()
      .catch((error: unknown) => this.#log.log('error', 'restart failed', { plane, reason: String(error) }));
  }

  #sendStates(): void {
    const { engine, server } = this.planes;
    server.sendStates({ engine: engine.state, server: server.state });
  }

  /** Shows the setup code on purpose: readers of this log own the machine. */
  #announce({ setupCode, ...facts }: ReadyFacts): void {
    const { httpPort = 0, httpsPort = 0, extraHttpPort = 0, rtmpPort = 0, rtcPort = 0, srtPort = 0 } = facts;
    const addresses = listAddresses({
      port: httpPort,
      host: this.#config.http.host,
      interfaces: networkInterfaces(),
      setupCode,
    });
    const { version } = this.#config;
    if (this.#log.isPretty) {
      const ports: PortRow[] = [
        { name: 'HTTP', transport: 'TCP', port: httpPort },
        ...(extraHttpPort > 0 ? [{ name: 'HTTP', transport: 'TCP', port: extraHttpPort } as const] : []),
        { name: 'HTTPS', transport: 'TCP', port: httpsPort },
        { name: 'RTMP', transport: 'TCP', port: rtmpPort },
        { name: 'WebRTC', transport: 'UDP', port: rtcPort, count: this.#config.rtcWorkers },
        { name: 'SRT', transport: 'UDP', port: srtPort },
      ];
      this.#log.print(formatBanner({ version, ports, addresses }));
      return;
    }
    for (const url of addresses.setup) this.#log.log('info', 'setup URL', { url });
    for (const url of addresses.signIn) this.#log.log('info', 'sign-in URL', { url });
    // Logged last, so that readers who wait for this line have the others.
    this.#log.log('info', 'serving', { version, httpPort, httpsPort, rtmpPort, rtcPort, srtPort });
  }
}

/** Reads the kernel directly: the crypto module would cost this small process two megabytes for good. */
function randomToken(): string {
  const source = openSync('/dev/urandom', 'r');
  try {
    const bytes = Buffer.alloc(16);
    readSync(source, bytes);
    return bytes.toString('hex');
  } finally {
    closeSync(source);
  }
}

/** Removes proxy variables: children have their own egress rules, which an inherited proxy would bypass. */
function withoutProxies(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/_proxy$/i.test(name)));
}

/** Result of `os.networkInterfaces()`. */
type Interfaces = NodeJS.Dict<readonly { readonly address: string; readonly internal: boolean }[]>;

interface Addresses {
  /** Setup addresses; empty once the server has a password. */
  readonly setup: readonly string[];
  readonly signIn: readonly string[];
}

interface AddressFacts {
  readonly port: number;
  /** Listen address; undefined for all interfaces. */
  readonly host: string | undefined;
  readonly interfaces: Interfaces;
  /** Only before setup. */
  readonly setupCode: string | undefined;
}

/** The page shows its sign-in form only with this flag. */
const signInQuery = '?adminSystemBadass';

/** Addresses of the console, nearest first. Setup addresses include the code that every browser needs. */
export function listAddresses({ port, host, interfaces, setupCode }: AddressFacts): Addresses {
  const hosts = host === undefined ? ['localhost', ...outsideAddresses(interfaces)] : [bracketed(host)];
  const pages = hosts.map((name) => `http://${name}${port === 80 ? '' : `:${port}`}/mgmt/`);
  return {
    setup: setupCode === undefined ? [] : pages.map((page) => `${page}?code=${setupCode}`),
    signIn: pages.map((page) => page + signInQuery),
  };
}

function outsideAddresses(interfaces: Interfaces): string[] {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => bracketed(address));
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** One port, as needed for a firewall. */
interface PortRow {
  readonly name: string;
  readonly transport: 'TCP' | 'UDP';
  /** 0 if not listening. */
  readonly port: number;
  /** Number of consecutive ports. */
  readonly count?: number;
}

interface BannerFacts {
  readonly version: string;
  readonly ports: readonly PortRow[];
  readonly addresses: Addresses;
}

/** Startup message for a terminal. */
export function formatBanner({ version, ports, addresses }: BannerFacts): string {
  const rows: [string, readonly string[]][] = [
    ['Set up', addresses.setup],
    ['Sign in', addresses.signIn],
    ['Ports', ports.map(describePort)],
    ['Stop', ['Ctrl-C']],
  ];
  const lines = rows.flatMap(([name, values]) =>
    values.map((value, index) => `  ${(index === 0 ? name : '').padEnd(10)} ${value}`),
  );
  return ['', `  Weir ${version} is running.`, '', ...lines, ''].join('\n');
}

function describePort({ name, transport, port, count = 1 }: PortRow): string {
  if (port === 0) return `${name.padEnd(8)} off`;
  return `${name.padEnd(8)} ${transport} ${port}${count > 1 ? `-${port + count - 1}` : ''}`;
}
