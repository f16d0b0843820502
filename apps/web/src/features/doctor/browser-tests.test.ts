import { expect, it } from 'vitest';
import { onlyTransport } from './browser-tests.ts';

it('tests UDP and TCP with the candidates of each alone', () => {
  const answer = [
    'v=0',
    'a=candidate:1 1 udp 2130706431 203.0.113.7 8000 typ host',
    'a=candidate:2 1 tcp 1671430143 2001:db8::7 8000 typ host tcptype passive',
    'a=end-of-candidates',
  ].join('\r\n');
  expect(onlyTransport(answer, 'udp').addresses).toEqual(['203.0.113.7:8000']);
  expect(onlyTransport(answer, 'tcp').addresses).toEqual(['[2001:db8::7]:8000']);
  expect(onlyTransport(answer, 'udp').sdp).toBe(
    answer
      .split('\r\n')
      .filter((_, line) => line !== 2)
      .join('\r\n'),
  );
});
