import type { Addresses } from './addresses.ts';

interface Facts {
  readonly version: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly addresses: Addresses;
}

/** What a person at the terminal needs next. */
export function banner({ version, ports, addresses }: Facts): string {
  const rows: [string, readonly string[]][] = [
    ['Set it up', addresses.setup],
    ['Sign in', addresses.signIn],
    [
      'Ports',
      [
        Object.entries(ports)
          .map(([protocol, port]) => `${protocol} ${port}`)
          .join(', '),
      ],
    ],
    ['Stop', ['Ctrl-C']],
  ];
  const lines = rows.flatMap(([name, values]) =>
    values.map((value, index) => `  ${(index === 0 ? name : '').padEnd(10)} ${value}`),
  );
  return ['', `  Weir ${version} is running.`, '', ...lines, ''].join('\n');
}
