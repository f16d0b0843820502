import type { StreamPlace } from '@weir/streams';
import { describe, expect, it } from 'vitest';
import { Clients } from '../../../../hub/clients/clients.ts';
import { Hub } from '../../../../hub/hub.ts';
import { judgeCaller, srtReject } from './srt-caller.ts';

const place = { vhost: '__defaultVhost__', app: 'live', name: 'there' };

function hubWithOne(): Hub {
  const hub = new Hub({ returnMs: 60_000 });
  const info = {
    id: '1',
    kind: 'srt-publish',
    address: '',
    place,
    param: '',
    tcUrl: '',
    pageUrl: '',
    connectedAt: new Date(),
  } as const;
  hub.open(place)?.publish(Clients.entry(info, () => undefined));
  return hub;
}

const namesOf = (hub: Hub, isSilent = false) => ({ find: (at: StreamPlace) => hub.find(at), isSilent: () => isSilent });

describe('judgeCaller', () => {
  it.each([
    ['to a free name', '#!::r=live/free?secret=S,m=publish', 'publish'],
    ['to a live name', '#!::r=live/there,m=request', 'play'],
    ['in the plain form to a live name', 'live/there', 'play'],
    ['in the plain form to a free name', 'live/free', 'publish'],
  ])('accepts a caller %s', (_what, id, wants) => {
    const hub = hubWithOne();
    expect(judgeCaller(id, namesOf(hub), false)).toMatchObject({ wants, place: { app: 'live' } });
    hub.close();
  });

  it.each([
    ['publish a live name', '#!::r=live/there?secret=S,m=publish', srtReject.conflict],
    ['publish a live name in the plain form', 'live/there?secret=S', srtReject.conflict],
    ['play what is not there', '#!::r=live/free,m=request', srtReject.notFound],
    ['do both', '#!::r=live/there,m=bidirectional', srtReject.badMode],
    ['climb out', '#!::r=live/../etc,m=publish', srtReject.badRequest],
  ])('refuses a caller that wants to %s, with the reason', (_what, id, reason) => {
    const hub = hubWithOne();
    expect(judgeCaller(id, namesOf(hub), false)).toBe(reason);
    hub.close();
  });

  it('lets a caller publish a live name whose publisher has been silent', () => {
    const hub = hubWithOne();
    const judged = judgeCaller('#!::r=live/there?secret=S,m=publish', namesOf(hub, true), false);
    expect(judged).toMatchObject({ wants: 'publish', place });
    hub.close();
  });
});
