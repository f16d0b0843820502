/** As the system lists them. */
type Interfaces = NodeJS.Dict<readonly { readonly address: string; readonly internal: boolean }[]>;

interface Addresses {
  /** Where to set the password of a new server; none once it has one. */
  readonly setup: readonly string[];
  readonly signIn: readonly string[];
}

interface AddressFacts {
  readonly port: number;
  /** The address listened on; undefined = all of this machine's. */
  readonly host: string | undefined;
  readonly interfaces: Interfaces;
  /** Only a server that is not set up has one. */
  readonly setupCode: string | undefined;
}

/** The page shows its sign-in form only with this flag in the query. */
const signInQuery = '?adminSystemBadass';

/** The addresses to open, nearest first; those for set-up with the code in them, which every browser needs. */
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

/** One port of the server, as a firewall needs it. */
export interface PortRow {
  readonly name: string;
  readonly transport: 'TCP' | 'UDP';
  /** 0 = it does not listen. */
  readonly port: number;
  /** So many, one after the other. */
  readonly count?: number;
}

interface BannerFacts {
  readonly version: string;
  readonly ports: readonly PortRow[];
  readonly addresses: Addresses;
}

/** What a person at the terminal needs next. */
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
