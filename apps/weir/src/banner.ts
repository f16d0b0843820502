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
export interface PortRow {
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
