import { privateHeaders } from '@weir/engine-api';
import type { HeaderList } from '../../http/failures.ts';
import { responseHeaders } from './proxy-headers.ts';

/** The head of an answer whose body has a length. */
export interface PlainAnswer {
  readonly status: number;
  /** For the client. */
  readonly headers: HeaderList;
  readonly bodyBytes: number;
  /** The control plane accepted the credential. */
  readonly isAccepted: boolean;
  /** The connection carries another call after this. */
  readonly isKept: boolean;
}

const plainHead = /^HTTP\/1\.1 ([2-5]\d\d) [\t -~]*((?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*)*)$/;
const plainLength = /^\d{1,15}$/;

/** Reads a head without its empty line; undefined when it is not of this kind, which no answer of the control plane to a call is. */
export function readPlainAnswer(text: string): PlainAnswer | undefined {
  const [, status = '', lines = ''] = plainHead.exec(text) ?? [];
  if (status === '') return undefined;
  const rawHeaders: string[] = [];
  const headers: Record<string, string> = {};
  for (const line of lines.split('\r\n')) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const lower = name.toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (lower === 'content-length' && lower in headers) return undefined;
    headers[lower] = value;
    // The date is written with the response head.
    if (lower !== 'date') rawHeaders.push(name, value);
  }
  const { 'content-length': length = '', connection = '' } = headers;
  if (!plainLength.test(length) || headers['transfer-encoding'] !== undefined) return undefined;
  return {
    status: Number(status),
    headers: responseHeaders({ rawHeaders, headers }),
    bodyBytes: Number(length),
    isAccepted: headers[privateHeaders.accepted] !== undefined,
    isKept: connection.toLowerCase() !== 'close',
  };
}
