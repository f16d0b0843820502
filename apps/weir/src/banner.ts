import type { Addresses } from './addresses.ts';

/** One port of the server, as a firewall needs it. */
export interface PortRow {
  readonly name: string;
  readonly transport: 'TCP' | 'UDP';
  /** 0 = it does not listen. */
  readonly port: number;
}

interface Facts {
  readonly version: string;
  readonly ports: readonly PortRow[];
  readonly addresses: Addresses;
}

/** What a person at the terminal needs next. */
export function banner({ version, ports, addresses }: Facts): string {
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

function describePort({ name, transport, port }: PortRow): string {
  return port === 0 ? `${name.padEnd(8)} off` : `${name.padEnd(8)} ${transport} ${port}`;
}
