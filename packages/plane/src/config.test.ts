import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const place = { cwd: '/srv/weir', version: '1.0.0' };

describe('parseConfig', () => {
  it('needs no variables', () => {
    expect(parseConfig({}, place)).toMatchObject({
      dataDir: '/srv/weir/data',
      http: { host: undefined, port: 2022 },
      https: { port: 2443 },
      extraHttp: undefined,
      published: { rtmp: '1935', http: '', srt: '10080', rtc: '8000' },
      slots: { forward: 10, vLive: 10, camera: 10 },
      trustedProxies: [],
      inDocker: false,
    });
  });

  it('treats an empty variable as absent', () => {
    expect(parseConfig({ MGMT_LISTEN: '', RTMP_PORT: '  ' }, place)).toEqual(parseConfig({}, place));
  });

  it.each([
    ['80', undefined, 80],
    [':8080', undefined, 8080],
    ['127.0.0.1:2022', '127.0.0.1', 2022],
    ['[::1]:2022', '::1', 2022],
    ['0', undefined, 0],
  ])('listens on %s', (value, host, port) => {
    expect(parseConfig({ MGMT_LISTEN: value }, place).http).toEqual({ host, port });
  });

  it.each([
    ['MGMT_LISTEN', 'eighty'],
    ['MGMT_LISTEN', '65536'],
    ['MGMT_LISTEN', 'localhost:80'],
    ['HTTPS_LISTEN', '-1'],
    ['PLATFORM_LISTEN', '1.5'],
    ['RTMP_PORT', '0'],
    ['SRT_PORT', 'x'],
    ['SRS_FORWARD_LIMIT', 'ten'],
    ['PLATFORM_DOCKER', 'yes'],
    ['WEIR_LOG', 'loud'],
    ['WEIR_DELIVERY_WORKERS', 'some'],
    ['WEIR_DELIVERY_WORKERS', '65'],
    ['WEIR_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['WEIR_TRUSTED_PROXIES', 'proxy.example'],
    ['WEIR_MEDIA_HOST', 'media.example:1935'],
    ['WEIR_MEDIA_HOST', 'rtmp://media.example'],
  ])('names %s when it is %s', (name, value) => {
    expect(() => parseConfig({ [name]: value }, place)).toThrow(ConfigError);
    expect(() => parseConfig({ [name]: value }, place)).toThrow(new RegExp(`^${name}: .*"${value}"`));
  });

  it('leaves a core to everything else when delivery workers start by load', () => {
    const read = (value: string) => parseConfig({ WEIR_DELIVERY_WORKERS: value }, place).deliveryWorkers;
    expect(read('')).toEqual({ most: Math.min(64, availableParallelism() - 1), isByLoad: true });
    expect(read('3')).toEqual({ most: 3, isByLoad: false });
    expect(read('0').most).toBe(0);
  });

  it('does not repeat an invalid passphrase', () => {
    const parse = () => parseConfig({ WEIR_SRT_PASSPHRASE: 'tooshort' }, place);
    expect(parse).toThrow(/^WEIR_SRT_PASSPHRASE: /);
    expect(parse).not.toThrow(/tooshort/);
    expect(parseConfig({ WEIR_SRT_PASSPHRASE: 'long enough' }, place).srtPassphrase).toBe('long enough');
  });

  it.each([
    ['media.example.com', 'media.example.com'],
    ['203.0.113.3', '203.0.113.3'],
    ['2001:db8::3', '[2001:db8::3]'],
  ])('tells clients that RTMP and SRT are at %s', (value, host) => {
    expect(parseConfig({ WEIR_MEDIA_HOST: value }, place).mediaHost).toBe(host);
  });

  it('stores files in the data directory, unless two servers share them', () => {
    expect(parseConfig({ WEIR_DATA: 'own' }, place).filesDir).toBe('/srv/weir/own');
    expect(parseConfig({ WEIR_DATA: 'own', WEIR_FILES: '/mnt/shared' }, place)).toMatchObject({
      dataDir: '/srv/weir/own',
      filesDir: '/mnt/shared',
    });
  });

  it('parses lists of networks', () => {
    const { trustedProxies } = parseConfig({ WEIR_TRUSTED_PROXIES: '127.0.0.1, fd00::/8,10.0.0.0/8' }, place);
    expect(trustedProxies).toEqual(['127.0.0.1', 'fd00::/8', '10.0.0.0/8']);
  });

  it('expects the ports of a separate SRS on the host of its API', () => {
    const env = { WEIR_ENGINE: 'srs', WEIR_SRS_API: 'http://ann:word@[fd00::3]:1985/', WEIR_SRS_HOOKS: '2025' };
    const { srs, rtmp, http } = parseConfig(env, place);
    expect(srs).toEqual({
      origins: [{ api: 'http://ann:word@[fd00::3]:1985', http: 'http://127.0.0.1:8080' }],
      hooks: { host: undefined, port: 2025 },
    });
    expect([rtmp, http]).toEqual([
      { host: 'fd00::3', port: 1935 },
      { host: undefined, port: 2022 },
    ]);
    expect(parseConfig({ ...env, WEIR_ENGINE: '' }, place)).toMatchObject({
      srs: undefined,
      rtmp: { host: undefined },
    });
  });

  it('accepts several origins of SRS, with an edge before them', () => {
    const env = { WEIR_ENGINE: 'srs', WEIR_SRS_API: 'http://10.0.0.3:1985, http://10.0.0.4:1985' };
    const there = { ...env, WEIR_SRS_HTTP: 'http://10.0.0.3:8080,http://10.0.0.4:8080' };
    expect(parseConfig(there, place)).toMatchObject({
      srs: {
        origins: [
          { api: 'http://10.0.0.3:1985', http: 'http://10.0.0.3:8080' },
          { api: 'http://10.0.0.4:1985', http: 'http://10.0.0.4:8080' },
        ],
      },
      rtmp: { host: '10.0.0.3', port: 1935 },
    });
    expect(parseConfig({ ...there, WEIR_RTMP_LISTEN: '10.0.0.9:1935' }, place).rtmp.host).toBe('10.0.0.9');
    expect(() => parseConfig(env, place)).toThrow(/^WEIR_SRS_HTTP: must have as many/);
  });

  it.each(['ftp://a', 'http://', 'http://a/path', 'http://a/?b', 'https://a', 'a:1985'])(
    'refuses an SRS at %s',
    (address) => {
      expect(() => parseConfig({ WEIR_SRS_HTTP: address }, place)).toThrow(/^WEIR_SRS_HTTP: /);
      expect(() => parseConfig({ WEIR_SRS_API: address }, place)).toThrow(
        /^WEIR_SRS_API: must be an http:\/\/ address without a path$/,
      );
    },
  );
});
