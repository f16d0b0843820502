import { describe, expect, it } from 'vitest';
import type { ClientInfo } from './client-info.ts';
import { recognise } from './own-players.ts';

const token = 'a-token-of-this-start';
const player = (param: string): ClientInfo => ({
  id: '1',
  kind: 'rtmp-play',
  address: '127.0.0.1',
  place: { vhost: 'v', app: 'live', name: 's' },
  param,
  tcUrl: '',
  pageUrl: '',
  connectedAt: new Date(0),
});

describe('our own players', () => {
  it.each([
    [`?weir-own=${token}`, ''],
    [`?weir-own=${token}&vhost=x`, '?vhost=x'],
    [`?vhost=x&weir-own=${token}`, '?vhost=x'],
    [`?vhost=x&weir-own=${token}&y=1`, '?vhost=x&y=1'],
  ])('are known by the token in %s, which is left as %j', (param, left) => {
    expect(recognise(player(param), token)).toMatchObject({ isOwn: true, param: left });
  });

  it.each(['', '?vhost=x', '?weir-own=', '?weir-own=wrong', `?x-weir-own=${token}`, `?weir-own=${token}x`])(
    'are not those with %j',
    (param) => {
      expect(recognise(player(param), token)).toEqual(player(param));
    },
  );

  it('are nobody without a token', () => {
    expect(recognise(player('?weir-own='), '')).toEqual(player('?weir-own='));
  });
});
