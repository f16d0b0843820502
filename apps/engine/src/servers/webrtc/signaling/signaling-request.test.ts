import { describe, expect, it } from 'vitest';
import { parseSignalingCall, readJsonAsk, readQualityAsk, streamOfQuery } from './signaling-request.ts';

const vhost = '__defaultVhost__';

describe('a signaling request', () => {
  it('names its stream by the query of WHIP and WHEP, which becomes the param as a whole', () => {
    const query = 'app=live&stream=show&secret=S&eip=192.0.2.1';
    expect(streamOfQuery(query)).toEqual({ place: { vhost, app: 'live', name: 'show' }, param: query });
    expect(streamOfQuery('stream=show&vhost=other')).toMatchObject({ place: { vhost: 'other', app: 'live' } });
    for (const wrong of [
      '',
      'app=live',
      'app=live&stream=',
      'app=..&stream=x',
      'app=live&stream=a%2F..%2Fb',
      'stream=a%00',
    ])
      expect(streamOfQuery(wrong)).toBeUndefined();
  });

  it('names its stream by the URL in the older calls', () => {
    const readBody = (streamurl: unknown, isPublish = true) =>
      readJsonAsk(JSON.stringify({ streamurl, sdp: 'v=0' }), isPublish);
    expect(readBody('webrtc://host:1985/live/show?secret=S')).toEqual({
      place: { vhost, app: 'live', name: 'show' },
      param: '?secret=S&upstream=rtc',
      sdp: 'v=0',
    });
    for (const scheme of ['http', 'https', 'rtmp', 'WEBRTC'])
      expect(readBody(`${scheme}://host/live/show`)).toMatchObject({ place: { app: 'live', name: 'show' } });
    expect(readBody('webrtc://host/live/a%20b')).toMatchObject({ place: { name: 'a b' }, param: '?upstream=rtc' });
    expect(readBody('webrtc://host/live/show?x=1', false)).toMatchObject({ param: '?x=1' });
    for (const wrong of [
      '',
      '/live/show',
      '://host/live/show',
      'webrtc://host/show',
      'webrtc://host/live/%',
      'webrtc://host/a/../b',
      5,
      null,
    ])
      expect(readBody(wrong)).toBeUndefined();
    expect(readJsonAsk('not json', true)).toBeUndefined();
  });

  it('names a quality or none, and nothing else', () => {
    expect(['"480p"', '"240p-2"', 'null'].map((word) => readQualityAsk(`{"quality": ${word}}`))).toEqual([
      '480p',
      '240p-2',
      '',
    ]);
    for (const wrong of ['', '{}', '[]', '480p', '{"quality": ""}', '{"quality": "../x"}', '{"quality": 480}'])
      expect(readQualityAsk(wrong)).toBeUndefined();
  });

  it('names its call by the path', () => {
    expect(
      ['/rtc/v1/whip/', '/rtc/v1/whep', '/rtc/v1/publish/', '/rtc/v1/play/', '/rtc/v1/x'].map(parseSignalingCall),
    ).toEqual(['whip', 'whep', 'publish', 'play', undefined]);
  });
});
