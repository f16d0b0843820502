import { describe, expect, it } from 'vitest';
import { Candidates, hostWithoutPort } from './candidates.ts';

const settings = { candidate: '', nameLookup: true, inDocker: false, rtc: { host: undefined as string | undefined } };
const own = () => ['192.0.2.7', '2001:db8::7'];
const of = (changes: Partial<typeof settings>, asked: { eip?: string; host?: string }) =>
  new Candidates({ ...settings, ...changes }, own).of({ eip: '', host: 'localhost:2022', ...asked });

describe('Candidates', () => {
  it.each([
    ['the one it asked for', {}, { eip: '203.0.113.5' }, ['203.0.113.5']],
    ['the one it asked for, of IPv6', {}, { eip: '2001:db8::5' }, ['2001:db8::5']],
    ['not what is no address', {}, { eip: 'evil.example', host: '192.0.2.1' }, ['192.0.2.1']],
    ['that of the page', {}, { host: '198.51.100.1:2022' }, ['198.51.100.1']],
    ['that of the page, of IPv6', {}, { host: '[2001:db8::1]:2022' }, ['2001:db8::1']],
    ['that of the page, of IPv6 without a port', {}, { host: '[2001:db8::1]' }, ['2001:db8::1']],
    ['this machine’s own for localhost', {}, {}, ['192.0.2.7', '2001:db8::7', '127.0.0.1']],
    ['only the one it listens on', { rtc: { host: '127.0.0.1' } }, {}, ['127.0.0.1']],
    ['this machine’s own where it listens on all', { rtc: { host: '::' } }, {}, [...own(), '127.0.0.1']],
    [
      'only the one it listens on when nothing else is known',
      { rtc: { host: '192.0.2.7' }, nameLookup: false },
      {},
      ['192.0.2.7'],
    ],
    ['loopback in a container', { inDocker: true }, {}, ['127.0.0.1']],
    ['the set one in a container', { inDocker: true, candidate: '203.0.113.9' }, {}, ['203.0.113.9']],
    [
      'the set one before that of the page',
      { candidate: '203.0.113.9' },
      { host: '198.51.100.1' },
      ['203.0.113.9', '198.51.100.1'],
    ],
    [
      'several set ones',
      { candidate: '203.0.113.9, 2001:db8::9', nameLookup: false },
      {},
      ['203.0.113.9', '2001:db8::9'],
    ],
    [
      'this machine’s own when nothing else is known',
      { nameLookup: false },
      { host: '198.51.100.1' },
      ['192.0.2.7', '2001:db8::7'],
    ],
    [
      'this machine’s own when the name leads nowhere',
      {},
      { host: 'no-such-name.invalid' },
      ['192.0.2.7', '2001:db8::7'],
    ],
  ])('%s', async (_what, changes, asked, expected) => {
    expect(await of(changes, asked)).toEqual(expected);
  });

  it('F21: include the IPv4 and IPv6 addresses of a name, for a client without IPv4', async () => {
    const resolveName = async () => ['203.0.113.1', '2001:db8::1', '2001:db8::1', ...Array(20).fill('203.0.113.2')];
    const candidates = new Candidates(settings, own, resolveName);
    const asked = { eip: '', host: 'stream.example:2022' };
    expect(await candidates.of(asked)).toEqual(['203.0.113.1', '2001:db8::1', '203.0.113.2']);
    expect(await candidates.of(asked)).toHaveLength(3);
  });

  it.each([
    ['name:80', 'name'],
    ['192.0.2.1:80', '192.0.2.1'],
    ['[::1]:80', '::1'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['', ''],
  ])('%s without its port is %s', (host, expected) => expect(hostWithoutPort(host)).toBe(expected));
});
