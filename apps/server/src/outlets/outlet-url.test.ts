import { describe, expect, it } from 'vitest';
import { outletSecrets, outletUrl, withPublishSecret } from './outlet-url.ts';

describe('the address of a slot', () => {
  it.each([
    ['rtmp://host/live', 'key', 'rtmp://host/live/key'],
    ['rtmp://host/live/', 'key', 'rtmp://host/live/key'],
    ['rtmp://host/live', '/key', 'rtmp://host/live/key'],
    ['rtmp://host/live/key', '', 'rtmp://host/live/key'],
    ['RTMPS://Host:443/app', 'FB-1?s_bl=1&a=b', 'rtmps://Host:443/app/FB-1?s_bl=1&a=b'],
    [' rtmp://host/live/ ', ' key\n', 'rtmp://host/live/key'],
    ['srt://host:10080', '?streamid=#!::r=live/show,m=publish', 'srt://host:10080/?streamid=#!::r=live/show,m=publish'],
    ['srt://host:10080?streamid=#!::r=live/show,m=publish', '', 'srt://host:10080?streamid=#!::r=live/show,m=publish'],
  ])('joins %s and %s to %s', (server, secret, url) => {
    expect(outletUrl({ server, secret })).toBe(url);
  });
});

describe('the secret of a slot', () => {
  it('is the key with its parts, the longest first', () => {
    expect(outletSecrets({ server: 'rtmp://host/live', secret: '/livestream?secret=0123456789&x=1' })).toEqual([
      'livestream?secret=0123456789&x=1',
      'livestream',
      '0123456789',
    ]);
  });

  it('may be in the server address', () => {
    const server = 'srt://host:1?streamid=#!::r=live/show?secret=0123456789,m=publish&passphrase=abcdefghij';
    expect(outletSecrets({ server, secret: '' })).toEqual(['0123456789', 'abcdefghij']);
    expect(outletSecrets({ server: 'rtmp://ann:p4ssword@host/live', secret: '' })).toEqual(['p4ssword']);
  });
});

describe('withPublishSecret', () => {
  it.each([
    ['rtmp://h/live/a', 'rtmp://h/live/a?secret=s%26'],
    ['rtmp://h/live/a?x=1&secret=old&y=2', 'rtmp://h/live/a?x=1&y=2&secret=s%26'],
    ['srt://h:1?streamid=#!::r=live/a?secret=old', 'srt://h:1?streamid=#!::r=live/a?secret=old'],
  ])('gives for %s', (url, expected) => {
    expect(withPublishSecret(url, 's&')).toBe(expected);
  });
});
