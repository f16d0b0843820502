import type { Addresses } from './addresses.ts';

/** One port of the server, as a firewall needs it. */
export interface PortRow {
  readonly name: string;
  readonly transport: 'TCP' | 'UDP';
  /** 0 = it does not listen. */
  readonly port: number;
  /** So many, one after the other. */
  readonly count?: number;
}

interface Facts {
  readonly version: string;
  readonly ports: readonly PortRow[];
  readonly addresses: Addresses;
}

/** What a person at the terminal needs next. */
export function formatBanner({ version, ports, addresses }: Facts): string {
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
