import { ownTicket, previewTicket } from '@weir/plane';
import { describe, expect, it } from 'vitest';
import type { ClientInfo } from './client-info.ts';
import { recognise } from './own-clients.ts';

const token = 'a-token-of-this-start';
const ticket = ownTicket(token, Date.now());
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

describe('recognise', () => {
  it.each([
    [`?weir-own=${ticket}`, ''],
    [`?weir-own=${ticket}&vhost=x`, '?vhost=x'],
    [`?vhost=x&weir-own=${ticket}`, '?vhost=x'],
    [`?vhost=x&weir-own=${ticket}&y=1`, '?vhost=x&y=1'],
  ])('finds the ticket of our own player in %s and leaves %j', (param, left) => {
    expect(recognise(player(param), token)).toMatchObject({ isOwn: true, param: left });
  });

  it.each(['', '?vhost=x', '?weir-own=', '?weir-own=wrong', `?x-weir-own=${ticket}`, `?weir-own=${ticket}x`])(
    'does not recognise a client with %j',
    (param) => {
      expect(recognise(player(param), token)).toEqual(player(param));
    },
  );

  it.each([
    ['the token itself', token],
    ['a ticket of another start', ownTicket('another token', Date.now())],
    ['a ticket that was in a list of processes for minutes', ownTicket(token, Date.now() - 200_000)],
    ['a ticket of the console', previewTicket(token, { vhost: 'v', app: 'live', stream: 's' }, Date.now() + 60_000)],
  ])('does not recognise a client with %s', (_which, shown) => {
    expect(recognise(player(`?weir-own=${shown}`), token).isOwn).toBeUndefined();
  });

  describe('for players in the console', () => {
    const place = { vhost: 'v', app: 'live', stream: 's' };
    const soon = Date.now() + 60_000;

    it.each(['?weir-preview=TICKET', 'app=live&stream=s&weir-preview=TICKET', '?a=1&weir-preview=TICKET&b=2'])(
      'finds the ticket in %s and removes it',
      (param) => {
        const ticket = previewTicket(token, place, soon);
        const known = recognise(player(param.replace('TICKET', ticket)), token);
        expect(known).toMatchObject({ isPreview: true });
        expect(known.isOwn).toBeUndefined();
        expect(known.param).not.toContain('weir-preview');
        expect(known.param.includes('b=2')).toBe(param.includes('b=2'));
      },
    );

    it.each([
      ['for another stream', previewTicket(token, { ...place, stream: 'other' }, soon)],
      ['of another start', previewTicket('another token', place, soon)],
      ['that has run out', previewTicket(token, place, Date.now() - 2000)],
      ['that nobody made', 'zzzzzz.0123456789abcdefghijkl'],
    ])('rejects a ticket %s and removes it all the same', (_which, ticket) => {
      const known = recognise(player(`?weir-preview=${ticket}`), token);
      expect(known).toEqual(player(''));
    });

    it('recognises nobody without a token', () => {
      const ticket = previewTicket('', place, soon);
      expect(recognise(player(`?weir-preview=${ticket}`), '').isPreview).toBeUndefined();
    });
  });

  it('recognises nobody without a token', () => {
    expect(recognise(player('?weir-own='), '')).toEqual(player('?weir-own='));
  });
});
