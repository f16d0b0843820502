import { describe, expect, it } from 'vitest';
import { edgeLink } from './edge-link.ts';

const m3u8Url = 'http://live.example.com:2022/live/show.m3u8';
const own = { m3u8Url, hlsPlayer: `/tools/player.html?url=${m3u8Url}` };

describe('edgeLink', () => {
  it('returns undefined without an edge', () => expect(edgeLink([], own)).toBeUndefined());

  it('returns undefined for a stream of another vhost', () =>
    expect(edgeLink([{ url: 'https://edge.example' }], { ...own, m3u8Url: `${m3u8Url}?vhost=other` })).toBeUndefined());

  it('links to the only edge', () => {
    expect(edgeLink([{ url: 'https://edge.example/cdn' }], own)).toEqual({
      url: 'https://edge.example/cdn/live/show.m3u8',
      player: '/tools/player.html?url=https://edge.example/cdn/live/show.m3u8',
    });
  });

  it('links to the load balancer with several edges', () => {
    const { url } = edgeLink([{ url: 'https://e1.example' }, { url: 'https://e2.example' }], own) ?? {};
    expect(url).toBe('http://live.example.com:2022/terraform/v1/mgmt/dns/lb/live/show.m3u8');
  });
});
