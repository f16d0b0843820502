import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { parseStoreAddress } from './store-address.ts';

const plain = {
  kind: 'redis',
  host: 'db',
  port: 6379,
  isEncrypted: false,
  authority: '',
  user: '',
  password: '',
  database: 0,
  prefix: 'weir',
};

describe('the address of the settings store', () => {
  it.each([
    ['sqlite', { kind: 'sqlite' }],
    ['redis://db', plain],
    ['redis://db:7000/3?prefix=tv', { ...plain, port: 7000, database: 3, prefix: 'tv' }],
    ['redis://:p%40ss@db', { ...plain, password: 'p@ss' }],
    [
      'rediss://me:pass@[fd00::1]/?ca=/etc/ca.pem',
      {
        ...plain,
        host: 'fd00::1',
        isEncrypted: true,
        authority: '/etc/ca.pem',
        user: 'me',
        password: 'pass',
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
    'redis://db?ca=here.pem',
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
