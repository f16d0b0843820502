/** The head of a request that leaves nothing to interpretation. */
export interface RequestHead {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  /** By lower-case name; of several of one name the first. */
  header(name: string): string | undefined;
  /** All values of a header that may come in several lines. */
  headers(name: string): string[];
}

const maxBytes = 8 * 1024;
/** Request line, then at least one header, and nothing behind the empty line: RFC 9112 with no licence taken. */
const plainHead =
  /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.1\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}:[\t -~\x80-\xff]*\r\n)+\r\n$/;
/** What announces a body, asks for another protocol, or concerns the connection. */
const notPlain =
  /\r\n(?:content-length|transfer-encoding|upgrade|expect|trailer|te|connection|proxy-connection|keep-alive):/i;
const keepAlive = /\r\nconnection:[ \t]*keep-alive[ \t]*\r\n/i;
const anyHost = /\r\nhost:/gi;
const plainHost = /\r\nhost:[ \t]*(?:\[[0-9a-f:.]{1,64}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?[ \t]*\r\n/i;

/**
 * Reads a head that is whole, simple and alone in `bytes`. Undefined for everything else, which is not necessarily wrong:
 * a complete parser must look at it.
 */
export function readPlainHead(bytes: Buffer): RequestHead | undefined {
  if (bytes.length > maxBytes) return undefined;
  const text = bytes.toString('latin1');
  const match = plainHead.exec(text);
  if (!match) return undefined;
  // Taken out, so that a second line of that name is found.
  const rest = keepAlive.test(text) ? text.replace(keepAlive, '\r\n') : text;
  if (notPlain.test(rest) || !plainHost.test(text) || text.match(anyHost)?.length !== 1) return undefined;
  const headers = (name: string) => valuesOf(text, name);
  return {
    method: match[1] === 'HEAD' ? 'HEAD' : 'GET',
    url: match[2] ?? '/',
    header: (name) => headers(name)[0],
    headers,
  };
}

function valuesOf(text: string, name: string): string[] {
  const lines = text.split('\r\n').slice(1, -2);
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return line.slice(0, colon).toLowerCase() === name ? [line.slice(colon + 1).trim()] : [];
  });
}
