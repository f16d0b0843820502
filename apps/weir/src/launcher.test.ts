import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { formatBanner, listAddresses, restartTarget } from './launcher.ts';
import { LogWriter, prettyLine } from './log-writer.ts';

describe('restartTarget', () => {
  it.each([
    ['server', 'engine', 'engine'],
    ['server', 'server', 'server'],
    ['server', 'launcher', undefined],
    ['server', 'constructor', undefined],
    ['server', undefined, undefined],
    ['engine', 'server', undefined],
    ['engine', 'engine', undefined],
  ] as const)('answers a request of the %s for %s with %s', (asking, wanted, target) => {
    expect(restartTarget(asking, wanted)).toBe(target);
  });
});

describe('listAddresses', () => {
  const interfaces = {
    lo: [{ address: '127.0.0.1', internal: true }],
    eth0: [
      { address: '192.0.2.7', internal: false },
      { address: '2001:db8::7', internal: false },
      { address: 'fe80::1', internal: false },
    ],
  };

  it('lists every address of the machine, with the code before setup', () => {
    const facts = { port: 2022, host: undefined, interfaces };
    expect(listAddresses({ ...facts, setupCode: 'abc' })).toEqual({
      setup: ['localhost', '192.0.2.7', '[2001:db8::7]'].map((host) => `http://${host}:2022/mgmt/?code=abc`),
      signIn: ['localhost', '192.0.2.7', '[2001:db8::7]'].map((host) => `http://${host}:2022/mgmt/?adminSystemBadass`),
    });
    expect(listAddresses({ ...facts, setupCode: undefined }).setup).toEqual([]);
  });

  it('lists only the listen address and omits port 80', () => {
    const { signIn } = listAddresses({ port: 80, host: '::1', interfaces, setupCode: undefined });
    expect(signIn).toEqual(['http://[::1]/mgmt/?adminSystemBadass']);
  });
});

describe('formatBanner', () => {
  it('lists addresses and ports with transport, and setup addresses only before setup', () => {
    const ports = [
      { name: 'HTTP', transport: 'TCP', port: 2022 },
      { name: 'WebRTC', transport: 'UDP', port: 8000, count: 2 },
      { name: 'SRT', transport: 'UDP', port: 0 },
    ] as const;
    const facts = { version: '1.2.3', ports };
    const text = formatBanner({
      ...facts,
      addresses: { setup: ['http://a/?code=1', 'http://b/?code=1'], signIn: ['http://a/'] },
    });
    expect(text).toMatch(/Weir 1\.2\.3 is running\.\n\n {2}Set up {5}http:\/\/a\/\?code=1\n {13}http:\/\/b/);
    expect(text).toMatch(
      /Sign in {4}http:\/\/a\/\n {2}Ports {6}HTTP {5}TCP 2022\n {13}WebRTC {3}UDP 8000-8001\n {13}SRT {6}off\n/,
    );
    expect(formatBanner({ ...facts, addresses: { setup: [], signIn: [] } })).not.toContain('Set up');
  });
});

describe('LogWriter', () => {
  const record = { level: 'warn', time: '2026-01-02T03:04:05.000Z', name: 'engine', msg: 'looked odd' } as const;
  const escapeSign = String.fromCharCode(27);
  const colour = new RegExp(`${escapeSign}\\[[\\d;]*m`, 'g');
  const plain = (text: string) => text.replace(colour, '');

  it('writes text for terminals with control characters escaped', () => {
    const line = plain(prettyLine({ ...record, stream: 'live/\u001b[2Jx', err: { stack: 'Error: \u001b[2J\n at y' } }));
    expect(line).toMatch(/warn\s+engine looked odd stream="live\/\\u001b\[2Jx"/);
    expect(line).not.toContain('\u001b');
  });

  it('writes JSON for programs and passes other lines through', () => {
    const out = new PassThrough();
    const lines = new LogWriter(out, true);
    lines.writeLine(JSON.stringify(record));
    lines.writeLine('{"not":"a record"}');
    lines.writeLine('Segmentation fault');
    new LogWriter(out, false).write(record);
    const [pretty = '', ...others] = String(out.read()).trimEnd().split('\n');
    expect(plain(pretty)).toContain('looked odd');
    expect(others).toEqual(['{"not":"a record"}', 'Segmentation fault', JSON.stringify(record)]);
  });
});
