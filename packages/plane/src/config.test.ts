import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const place = { cwd: '/srv/weir', version: '1.0.0' };

describe('parseConfig', () => {
  it('needs nothing', () => {
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

  it('takes an empty variable as absent', () => {
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
    ['WEIR_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['WEIR_TRUSTED_PROXIES', 'proxy.example'],
  ])('names %s when it is %s', (name, value) => {
    expect(() => parseConfig({ [name]: value }, place)).toThrow(ConfigError);
    expect(() => parseConfig({ [name]: value }, place)).toThrow(new RegExp(`^${name}: .*"${value}"`));
  });

  it('does not repeat a passphrase that it cannot use', () => {
    const parse = () => parseConfig({ WEIR_SRT_PASSPHRASE: 'tooshort' }, place);
    expect(parse).toThrow(/^WEIR_SRT_PASSPHRASE: /);
    expect(parse).not.toThrow(/tooshort/);
    expect(parseConfig({ WEIR_SRT_PASSPHRASE: 'long enough' }, place).srtPassphrase).toBe('long enough');
  });

  it('reads lists of networks', () => {
    const { trustedProxies } = parseConfig({ WEIR_TRUSTED_PROXIES: '127.0.0.1, fd00::/8,10.0.0.0/8' }, place);
    expect(trustedProxies).toEqual(['127.0.0.1', 'fd00::/8', '10.0.0.0/8']);
  });
});
