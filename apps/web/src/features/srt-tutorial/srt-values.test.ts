import { streamAddresses } from '@weir/streams';
import { expect, it } from 'vitest';
import { srtValues } from './srt-values.ts';

const environment = { rtmpPort: '', srtPort: '10080', httpPort: '' };
const secret = { publish: 'abc', pubNoAuth: false };
const at = (origin: string) =>
  srtValues(streamAddresses({ path: 'live/show', secret, page: new URL(origin), environment }));

it('splits the SRT URLs for programs with a form', () => {
  expect(at('http://media.example:2022/')).toEqual({
    host: 'media.example',
    port: '10080',
    latencyMs: '20',
    publishId: '#!::r=live/show?secret=abc,m=publish',
    playId: '#!::r=live/show,latency=20,m=request',
  });
});

it('keeps the brackets of an IPv6 address apart from the port', () => {
  expect(at('http://[::1]:2022/')).toMatchObject({ host: '[::1]', port: '10080' });
});
