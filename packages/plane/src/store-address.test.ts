import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { parseStoreAddress } from './store-address.ts';

const plain = {
  kind: 'redis',
  topology: 'single',
  servers: [{ host: 'db', port: 6379 }],
  primaryName: '',
  sentinelUser: '',
  sentinelPassword: '',
  tls: undefined,
  user: '',
  password: '',
  database: 0,
  prefix: 'weir',
  replicas: 0,
};
const tls = { ca: '', cert: '', key: '', servername: '' };

describe('the address of the settings store', () => {
  it.each([
    ['sqlite', { kind: 'sqlite' }],
    ['redis://db', plain],
    [
      'redis://db:7000/3?prefix=tv&replicas=2',
      { ...plain, servers: [{ host: 'db', port: 7000 }], database: 3, prefix: 'tv', replicas: 2 },
    ],
    ['redis://:p%40ss@db', { ...plain, password: 'p@ss' }],
    ['redis://:p@s:s@db/', { ...plain, password: 'p@s:s' }],
    [
      'rediss://me:pass@[fd00::1]/?ca=/etc/ca.pem',
      {
        ...plain,
        servers: [{ host: 'fd00::1', port: 6379 }],
        tls: { ...tls, ca: '/etc/ca.pem' },
        user: 'me',
        password: 'pass',
      },
    ],
    [
      'rediss://db?cert=/a.pem&key=/b.pem&servername=db.example.com',
      { ...plain, tls: { ca: '', cert: '/a.pem', key: '/b.pem', servername: 'db.example.com' } },
    ],
    [
      'redis+sentinel://:pass@s1,s2:7000,[fd00::1]:7001/main/3?sentinel-user=me&sentinel-password=p%26q',
      {
        ...plain,
        topology: 'sentinel',
        servers: [
          { host: 's1', port: 26379 },
          { host: 's2', port: 7000 },
          { host: 'fd00::1', port: 7001 },
        ],
        primaryName: 'main',
        sentinelUser: 'me',
        sentinelPassword: 'p&q',
        password: 'pass',
        database: 3,
        replicas: 1,
      },
    ],
    [
      'rediss+cluster://n1,n2:7000?prefix=tv&replicas=0',
      {
        ...plain,
        topology: 'cluster',
        servers: [
          { host: 'n1', port: 6379 },
          { host: 'n2', port: 7000 },
        ],
        tls,
        prefix: '{tv}',
      },
    ],
  ])('reads %s', (text, address) => {
    expect(parseStoreAddress(text)).toEqual(address);
  });

  it.each([
    'postgres://db',
    'redis://',
    'redis',
    'redis://db/one',
    'redis://db?prefix=a b',
    'redis://db?prefix=',
    'rediss://db?ca=here.pem',
    'rediss://db?cert=/a.pem',
    'redis://one,two',
    'redis://db:0',
    'redis://db:70000',
    'redis://a b',
    'redis://db?replicas=ten',
    'redis+sentinel://s1,s2',
    'redis+sentinel://s1,s2/main/one',
    'redis+cluster://n1,,n2',
    'redis+cluster://n1,n2/1',
    'redis://db?timeout=5',
    'redis://:%zz@db',
  ])('refuses %s, and does not repeat it', (text) => {
    const parse = () => parseConfig({ WEIR_STORE: text }, { cwd: '/', version: '' });
    expect(parse).toThrow(/^WEIR_STORE: /);
    expect(parse).not.toThrow(`"${text}"`);
  });
});

describe('the address of a server of a pair', () => {
  const parse = (env: object) => parseConfig({ WEIR_STORE: 'redis://db', ...env }, { cwd: '/', version: '' }).nodeUrl;

  it('is an origin, or absent', () => {
    expect(parse({})).toBe('');
    expect(parse({ WEIR_NODE_URL: 'http://10.0.0.5:2022/' })).toBe('http://10.0.0.5:2022');
  });

  it.each(['10.0.0.5', 'ftp://a', 'http://a/b', 'http://me:pass@a'])('is not %s', (url) => {
    expect(() => parse({ WEIR_NODE_URL: url })).toThrow(/^WEIR_NODE_URL: /);
  });

  it('requires shared settings', () => {
    expect(() => parse({ WEIR_NODE_URL: 'http://a', WEIR_STORE: 'sqlite' })).toThrow(/^WEIR_NODE_URL: .*WEIR_STORE/);
  });
});
