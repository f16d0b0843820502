import { describe, expect, it } from 'vitest';
import { parseCameraUrl, toCameraUrl } from './camera-address.ts';

const camera = { scheme: 'rtsp', host: '192.168.1.20:554', path: 'stream1', user: 'viewer', password: 'plain' };

describe('the URL of a camera', () => {
  it.each(['p/a/s', 'p@ss', '?!#%41', 'a:b c', '\\[]{}|^"<>', 'übung密码', "(*)'~_-."])(
    'keeps the password %s whatever it contains',
    (password) => {
      const url = toCameraUrl({ ...camera, user: 'Cam@Viewer', password });
      expect(url).toMatch(/^rtsp:\/\/[\w%.~-]+:[\w%.~-]+@192\.168\.1\.20:554\/stream1$/);
      expect(parseCameraUrl(url)).toEqual({ ...camera, user: 'Cam@Viewer', password });
    },
  );

  it('has no login where there is none, and one slash before the path', () => {
    expect(toCameraUrl({ ...camera, user: '', password: '', path: '/h264/1?x=y' })).toBe(
      'rtsp://192.168.1.20:554/h264/1?x=y',
    );
    expect(toCameraUrl({ ...camera, user: '', password: '', path: '' })).toBe('rtsp://192.168.1.20:554');
  });

  it('splits a pasted camera URL into its fields', () => {
    expect(parseCameraUrl(' rtsps://u:p@ss@10.0.0.5/a/b ')).toEqual({
      scheme: 'rtsps',
      user: 'u',
      password: 'p@ss',
      host: '10.0.0.5',
      path: 'a/b',
    });
    expect(parseCameraUrl('10.0.0.5')).toBeUndefined();
    expect(parseCameraUrl('ftp://10.0.0.5/x')).toBeUndefined();
  });
});
