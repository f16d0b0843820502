import { expect, it } from 'vitest';
import { parsePartsRequest } from '../../pages/player/player-address.ts';
import { listOutputs } from './outputs.ts';

const page = { origin: 'https://weir.test', protocol: 'https:', port: '' };

it('links to the original, the overlay and, when it is on, WebVTT', () => {
  expect(listOutputs('u', page, false).map(({ kind }) => kind)).toEqual(['porg', 'pol']);
  expect(listOutputs('u', page, true).map(({ kind, url }) => [kind, url])).toEqual([
    ['porg', 'https://weir.test/terraform/v1/ai/transcript/hls/original/u.m3u8'],
    ['pol', 'https://weir.test/terraform/v1/ai/transcript/hls/overlay/u.m3u8'],
    ['pvtt', 'https://weir.test/terraform/v1/ai/transcript/hls/webvtt/u/index.m3u8'],
  ]);
});

it.each([page, { origin: 'http://weir.test:2022', protocol: 'http:', port: '2022' }])(
  'opens each in our player, at $origin',
  (here) => {
    for (const { player, url } of listOutputs('u', here, true)) {
      const request = parsePartsRequest(new URL(player, here.origin));
      expect(request).toEqual({ address: url, autoStart: true });
    }
  },
);
