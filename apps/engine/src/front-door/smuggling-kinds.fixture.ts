/** Request written so that two servers in a row may disagree about where it ends. */
export interface SmugglingKind {
  readonly name: string;
  /** Text of each write, all on one connection. */
  readonly pieces: readonly string[];
  /** True where the request clearly ends before the hidden one, which is then an ordinary second request. */
  readonly isPipelined?: boolean;
}

/** Path whose answer repeats the name of the callback, which shows the request that was answered. */
const outerPath = '/api/v1/versions?callback=outer';
export const hiddenPath = '/api/v1/versions?callback=hidden';
const hidden = `GET ${hiddenPath} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = `POST ${outerPath} HTTP/1.1\r\nHost: a\r\n`;
const get = `GET ${outerPath} HTTP/1.1\r\nHost: a\r\n`;
const media = 'GET /live/nobody.flv HTTP/1.1\r\nHost: a\r\n';
const call = 'POST /terraform/v1/mgmt/check HTTP/1.1\r\nHost: a\r\n';
const last = '0\r\n\r\n';
const hex = hidden.length.toString(16);

/** Names of codings that are valid without a length. */
const readable = new Set(['chunks', 'chunks in capitals', 'chunks behind a tab', 'chunks that Connection names']);

/** Announces chunks in the given way, with a length as well. A server that reads chunks sees the body end before the hidden request. */
const chunked = (name: string, field: string): SmugglingKind => ({
  name,
  pieces: [`${post}${field}\r\nContent-Length: ${last.length + hidden.length}\r\n\r\n${last}${hidden}`],
});
/** Announces chunks in the given way, without a length. A server that ignores the coding sees no body. */
const codedAlone = (name: string, field: string): SmugglingKind => ({
  name: `${name}, without a length`,
  pieces: [`${post}${field}\r\n\r\n${last}${hidden}`],
});
/** Writes the length in the given way. A server that reads another length finds the hidden request. */
const sized = (name: string, fields: string, head = post): SmugglingKind => ({
  name,
  pieces: [`${head}${fields}\r\n\r\n${hidden}`],
});
const chunk = (name: string, body: string): SmugglingKind => ({
  name,
  pieces: [`${post}Transfer-Encoding: chunked\r\n\r\n${body}`],
});
const raw = (name: string, ...pieces: string[]): SmugglingKind => ({ name, pieces });
const pipelined = (name: string, ...pieces: string[]): SmugglingKind => ({ name, pieces, isPipelined: true });

const codings: readonly [name: string, field: string][] = [
  ['chunks', 'Transfer-Encoding: chunked'],
  ['chunks in capitals', 'TRANSFER-ENCODING: CHUNKED'],
  ['chunks with a space before the colon', 'Transfer-Encoding : chunked'],
  ['chunks with a tab before the colon', 'Transfer-Encoding\t: chunked'],
  ['chunks behind a tab', 'Transfer-Encoding:\tchunked'],
  ['chunks behind a vertical tab', 'Transfer-Encoding:\x0bchunked'],
  ['chunks behind a form feed', 'Transfer-Encoding: \x0cchunked'],
  ['chunks followed by a NUL', 'Transfer-Encoding: chunked\0'],
  ['chunks with a byte above ASCII', 'Transfer-Encoding: \xa0chunked'],
  ['chunks on a folded line', 'Transfer-Encoding:\r\n chunked'],
  ['chunks on a line folded before', 'X: y\r\n Transfer-Encoding: chunked'],
  ['chunks behind a bare LF', 'X: y\nTransfer-Encoding: chunked'],
  ['chunks behind a bare CR', 'X: y\rTransfer-Encoding: chunked'],
  ['chunks in quotes', 'Transfer-Encoding: "chunked"'],
  ['chunks and identity', 'Transfer-Encoding: chunked, identity'],
  ['identity and chunks', 'Transfer-Encoding: identity, chunked'],
  ['identity', 'Transfer-Encoding: identity'],
  ['gzip and chunks', 'Transfer-Encoding: gzip, chunked'],
  ['chunks twice in a line', 'Transfer-Encoding: chunked, chunked'],
  ['chunks in two lines', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
  ['chunks and something unknown in two lines', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x'],
  ['something like chunks', 'Transfer-Encoding: xchunked'],
  ['chunks with a parameter', 'Transfer-Encoding: chunked;q=1'],
  ['an empty coding', 'Transfer-Encoding:'],
  ['an empty element and chunks', 'Transfer-Encoding: ,chunked'],
  ['an underscore for the hyphen', 'Transfer_Encoding: chunked'],
  ['a space before the name', ' Transfer-Encoding: chunked'],
  ['chunks that Connection names', 'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked'],
];

const lengths: readonly [name: string, fields: string][] = [
  ['two lengths, 0 last', `Content-Length: ${hidden.length}\r\nContent-Length: 0`],
  ['two lengths, 0 first', `Content-Length: 0\r\nContent-Length: ${hidden.length}`],
  ['the same length twice', `Content-Length: ${hidden.length}\r\nContent-Length: ${hidden.length}`],
  ['two lengths in a line', `Content-Length: 0, ${hidden.length}`],
  ['a length with a sign', `Content-Length: +${hidden.length}`],
  ['a negative length', `Content-Length: -${hidden.length}`],
  ['a length in hexadecimal', `Content-Length: 0x${hex}`],
  ['a length with a point', `Content-Length: ${hidden.length}.0`],
  ['a length with an exponent', 'Content-Length: 1e2'],
  ['a length with a space in it', 'Content-Length: 1 0'],
  ['a length with leading zeros', `Content-Length: 000${hidden.length}`],
  ['a length beyond 64 bits', 'Content-Length: 18446744073709551616'],
  ['an empty length', 'Content-Length:'],
  ['a length with a space before the colon', `Content-Length : ${hidden.length}`],
  ['a length on a folded line', `Content-Length:\r\n ${hidden.length}`],
  ['a length behind a bare CR', `X: y\rContent-Length: ${hidden.length}`],
  ['a length that Connection names', `Connection: content-length\r\nContent-Length: ${hidden.length}`],
  ['an underscore in the name of the length', `Content_Length: ${hidden.length}\r\nContent-Length: ${hidden.length}`],
];

const chunkBodies: readonly [name: string, body: string][] = [
  ['a chunk size beyond 64 bits', `10000000000000000\r\n${hidden}`],
  ['a negative chunk size', `-1\r\n${hidden}`],
  ['a chunk size with a prefix', `0x0\r\n\r\n${hidden}`],
  ['a chunk size with a sign', `+0\r\n\r\n${hidden}`],
  ['a chunk size behind a space', ` 0\r\n\r\n${hidden}`],
  ['an empty chunk size', `\r\n\r\n${hidden}`],
  ['a chunk size that ends with a bare LF', `0\n\r\n${hidden}`],
  ['a chunk size that ends with a bare CR', `0\r\r\n${hidden}`],
  ['a last chunk that ends with bare LFs', `0\n\n${hidden}`],
  ['a chunk longer than its size', `1\r\nabc\r\n${last}${hidden}`],
  ['a chunk without its line end', `3\r\nabc${last}${hidden}`],
  ['a chunk that ends with a bare LF', `3\r\nabc\n${last}${hidden}`],
  ['an extension with a bare LF', `3;a\nb\r\nabc\r\n${last}${hidden}`],
  ['an extension with a bare CR', `3;a\rb\r\nabc\r\n${last}${hidden}`],
  ['an extension with a NUL', `3;a\0b\r\nabc\r\n${last}${hidden}`],
  ['an extension of 20 KB', `3;${'x'.repeat(20_000)}\r\nabc\r\n${last}${hidden}`],
  ['a trailer with a bare LF', `0\r\nX: y\n\r\n\r\n${hidden}`],
];

/** All kinds. A kind holds when it is refused, or is one request for both servers. */
export const smugglingKinds: readonly SmugglingKind[] = [
  ...codings.map(([name, field]) => chunked(`a length and ${name}`, field)),
  ...codings.filter(([name]) => !readable.has(name)).map(([name, field]) => codedAlone(name, field)),
  ...lengths.map(([name, fields]) => sized(name, fields)),
  ...lengths.map(([name, fields]) => sized(`${name}, in a plain call`, fields, call)),
  ...chunkBodies.map(([name, body]) => chunk(name, body)),
  sized('a body of GET', `Content-Length: ${hidden.length}`, get),
  sized('a body of a request for media', `Content-Length: ${hidden.length}`, media),
  sized('a body of HEAD', `Content-Length: ${hidden.length}`, get.replace('GET', 'HEAD')),
  sized('a body of OPTIONS', `Content-Length: ${hidden.length}`, get.replace('GET', 'OPTIONS')),
  sized('a body of DELETE', `Content-Length: ${hidden.length}`, get.replace('GET', 'DELETE')),
  raw('a request in the target', `GET ${outerPath} HTTP/1.1\r\nHost: a\r\n\r\nGET ${hiddenPath}`),
  raw('a CR in the target', `GET /api/v1/versions?callback=outer\rX HTTP/1.1\r\nHost: a\r\n\r\n`),
  raw('an LF in the target', `GET /api/v1/x HTTP/1.1\nX: y\r\nHost: a\r\n\r\n`),
  raw(
    'an encoded line end in the target',
    `GET /api/v1/x%0d%0a%0d%0a${encodeURIComponent(hidden)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ),
  raw('bare LFs everywhere', `${get}\r\n`.replaceAll('\r\n', '\n') + hidden),
  raw('a line end of CR LF and one of LF', `${get}X: y\n\r\n${hidden}`.replace('a\r\nX', 'a\nX')),
  raw('a header without a colon', `${get}Content-Length\r\n\r\n${hidden}`.slice(0, -4)),
  raw('a header with an empty name', `${get}: 1\r\n\r\n`),
  raw('two hosts', `${get}Host: b\r\n\r\n`),
  raw('HTTP/0.9', `GET ${outerPath}\r\n\r\n${hidden}`),
  raw('HTTP/1.2', `${get.replace('1.1', '1.2')}\r\n`),
  raw(
    'chunks in HTTP/1.0',
    `${post.replace('1.1', '1.0')}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${last}${hidden}`,
  ),
  raw('HTTP/1.0 without keep-alive, followed by another request', `${get.replace('1.1', '1.0')}\r\n${hidden}`),
  raw('an upgrade to WebSocket', `${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n${hidden}`),
  raw(
    'an upgrade to HTTP/2',
    `${get}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n${hidden}`,
  ),
  raw('CONNECT', `CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n${hidden}`),
  raw(
    'Expect, and the body at once',
    `${media}Expect: 100-continue\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  ),
  raw('an unknown expectation', `${post}Expect: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`),
  raw('Connection: close, followed by another request', `${get}Connection: close\r\n\r\n${hidden}`),
  pipelined('a request behind a body', `${post}Content-Length: 3\r\n\r\nabc${hidden}`),
  pipelined('a request behind chunks', `${post}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n${last}${hidden}`),
  pipelined(
    'a request behind chunks with an extension',
    `${post}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n${last}${hidden}`,
  ),
  pipelined(
    'a request behind chunks with a trailer',
    `${post}Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n${hidden}`,
  ),
  pipelined(
    'a request behind a trailer that names a length',
    `${post}Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n\r\n${hidden}`,
  ),
  pipelined('a request behind empty lines', `${get}\r\n\r\n\r\n${hidden}`),
  pipelined('a request behind a plain one', `${get}\r\n${hidden}`),
  pipelined('a request behind one for media', `${media}\r\n${hidden}`),
  pipelined('a request behind a plain call', `${call}Content-Length: 2\r\n\r\n{}${hidden}`),
  pipelined('a body that comes later than its head', `${call}Content-Length: 2\r\n\r\n`, `{}${hidden}`),
  pipelined('HTTP/1.0 with keep-alive', `${get.replace('1.1', '1.0')}Connection: keep-alive\r\n\r\n${hidden}`),
];
