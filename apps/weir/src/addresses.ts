/** As the system lists them. */
type Interfaces = NodeJS.Dict<readonly { readonly address: string; readonly internal: boolean }[]>;

export interface Addresses {
  /** Where to set the password of a new server; none once it has one. */
  readonly setup: readonly string[];
  readonly signIn: readonly string[];
}

interface Facts {
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
export function listAddresses({ port, host, interfaces, setupCode }: Facts): Addresses {
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
