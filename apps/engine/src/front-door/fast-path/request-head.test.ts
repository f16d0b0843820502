import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainHead } from './request-head.ts';

const head = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
const line = 'GET /live/a.ts HTTP/1.1';

describe('readPlainHead', () => {
  it('reads the heads that players send', () => {
    const read = readPlainHead(
      head(
        'GET /live/a.m3u8?hls_ctx=1 HTTP/1.1',
        'Host: example.com:2022',
        'Connection: keep-alive',
        'Range: bytes=0-',
      ),
    );
    expect(read).toMatchObject({ method: 'GET', url: '/live/a.m3u8?hls_ctx=1' });
    expect([read?.fields.get('range'), read?.fields.get('referer')]).toEqual(['bytes=0-', undefined]);
    expect(readPlainHead(head('HEAD / HTTP/1.1', 'host:[::1]'))?.method).toBe('HEAD');
  });

  it('keeps repeated fields of one name apart', () => {
    const read = readPlainHead(head(line, 'Host: a', 'X-Forwarded-For: 1', 'x-forwarded-for:  2 '));
    expect(read?.fields.all('x-forwarded-for')).toEqual(['1', '2']);
  });

  const post = (length: string, body: string) =>
    Buffer.concat([head('POST /a HTTP/1.1', 'Host: a', length), Buffer.from(body)]);

  it('reads the head of a call with a body', () => {
    const read = readPlainHead(post('content-length:  2 ', '{}'));
    expect([read?.method, read?.url, read?.body.toString()]).toEqual(['POST', '/a', '{}']);
    expect(readPlainHead(post('Content-Length: 2', '[]'), read?.fields)?.body.toString()).toBe('[]');
    expect(readPlainHead(post('Content-Length: 0', ''))?.body).toHaveLength(0);
  });

  it.each([
    ['another method', head('PUT /live/a.ts HTTP/1.1', 'Host: a')],
    ['a call without a length', post('Accept: */*', '')],
    ['half a body', post('Content-Length: 3', '{}')],
    ['a call with something behind it', post('Content-Length: 2', '{}G')],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 2', '{}')],
    ['a length that is a list', post('Content-Length: 2, 2', '{}')],
    ['a length with a sign', post('Content-Length: +2', '{}')],
    ['a length with leading zeros', post('Content-Length: 02', '{}')],
    ['a length in hexadecimal', post('Content-Length: 0x2', '{}')],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked', '{}')],
    ['a call that expects leave', post('Content-Length: 2\r\nExpect: 100-continue', '{}')],
    ['very many fields', head(line, 'Host: a', ...Array<string>(100).fill('A: b'))],
    ['HTTP/1.0', head('GET /live/a.ts HTTP/1.0', 'Host: a')],
    ['an absolute address', head('GET http://a/live/a.ts HTTP/1.1', 'Host: a')],
    ['a space in the address', head('GET /live/a b.ts HTTP/1.1', 'Host: a')],
    ['no host', head(line, 'Accept: */*')],
    ['two hosts', head(line, 'Host: a', 'Host: b')],
    ['two hosts, the second in another case', head(line, 'Host: a', 'hOST: b')],
    ['a host that is none', head(line, 'Host: a/b')],
    ['a body by length', head(line, 'Host: a', 'Content-Length: 0')],
    ['a body in chunks', head(line, 'Host: a', 'Transfer-Encoding: chunked')],
    ['an upgrade', head(line, 'Host: a', 'Upgrade: websocket')],
    ['an expectation', head(line, 'Host: a', 'Expect: 100-continue')],
    ['the wish to close', head(line, 'Host: a', 'Connection: close')],
    ['two wishes', head(line, 'Host: a', 'Connection: keep-alive', 'Connection: close')],
    ['wishes in one line', head(line, 'Host: a', 'Connection: keep-alive, upgrade')],
    ['a folded line', head(line, 'Host: a', 'Accept: a', ' b')],
    ['a space before the colon', head(line, 'Host: a', 'Content-Length : 5')],
    ['a name without a value', head(line, 'Host: a', 'Accept')],
    ['a bare line feed', Buffer.from('GET /live/a.ts HTTP/1.1\nHost: a\n\n')],
    ['a line feed in a value', head(line, 'Host: a', 'A: b\nContent-Length: 5')],
    ['a zero byte', head(line, 'Host: a', 'A: \0')],
    ['a second request behind it', Buffer.concat([head(line, 'Host: a'), head(line, 'Host: a')])],
    ['a head that is not over', Buffer.from('GET /live/a.ts HTTP/1.1\r\nHost: a\r\n')],
    ['nothing', Buffer.alloc(0)],
    ['too much', head(line, 'Host: a', `A: ${'x'.repeat(9000)}`)],
  ])('leaves %s to a complete parser', (_name, bytes) => {
    expect(readPlainHead(bytes)).toBeUndefined();
  });

  it('recognises only fields it has seen before from its cache', () => {
    const known = readPlainHead(head(line, 'Host: a', 'Accept: */*'))?.fields;
    expect(readPlainHead(head('GET /b.ts HTTP/1.1', 'Host: a', 'Accept: */*'), known)?.fields).toBe(known);
    expect(readPlainHead(head(line, 'Host: a', 'Accept: */b'), known)?.fields).not.toBe(known);
    expect(readPlainHead(head(line, 'Host: a', 'Accept: */*', 'Content-Length: 1'), known)).toBeUndefined();
  });

  it('never reads beyond the end of a mutated head', () => {
    const plain = head(line, 'Host: a', 'Accept: */*');
    fc.assert(
      fc.property(fc.nat(plain.length - 1), fc.nat(255), (at, value) => {
        const bytes = Buffer.from(plain);
        bytes[at] = value;
        const read = readPlainHead(bytes);
        if (read) expect(bytes.toString('latin1')).toMatch(/^(GET|HEAD) \/\S* HTTP\/1\.1\r\n[Hh]ost:/i);
      }),
    );
  });

  it('recognises cached fields only as complete lines', () => {
    const plain = post('Content-Length: 2', '{}');
    const known = readPlainHead(plain)?.fields;
    expect(readPlainHead(plain, known)?.fields).toBe(known);
    for (let length = 0; length < plain.length; length++)
      expect(readPlainHead(plain.subarray(0, length), known)).toBeUndefined();
    expect(readPlainHead(Buffer.concat([plain, plain]), known)).toBeUndefined();
    expect(readPlainHead(Buffer.from(String(plain).replace('POST', 'GET')), known)).toBeUndefined();
  });
});
