import { type StreamUrlProblem, streamUrlProblem } from '@weir/contract';
import { rebuildAddress } from '@weir/process';
import { decodedText } from '@weir/streams';
import { WeirError } from '../core/errors.ts';

/** An address of a live source, taken apart. */
export interface StreamAddress {
  /** URL for ffmpeg. */
  readonly url: string;
  readonly scheme: string;
  readonly hostname: string;
  /** Name and port as they stand in the address. */
  readonly host: string;
  readonly query: URLSearchParams;
  /** The last part of the path, else the host: what people call it. */
  readonly name: string;
  /** Secret parts, kept out of logs. */
  readonly secrets: readonly string[];
}

const problems: Record<StreamUrlProblem, string> = {
  missing: 'url is required',
  scheme: 'url: invalid url scheme, must start with rtmp://, rtmps://, srt://, rtsp://, rtsps://, http:// or https://',
  suffix: 'url: invalid url path suffix, the path of an HTTP stream must contain .flv, .m3u8 or .ts',
  invalid: 'url: must be a full URL',
};

/** Parses a typed address of a live source, or throws with the reason. */
export function readStreamAddress(typed: string): StreamAddress {
  const problem = streamUrlProblem(typed);
  if (problem) throw new WeirError(problem === 'missing' ? 'missing_field' : 'invalid_input', problems[problem]);
  const url = rebuildAddress(typed.trim());
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  // The parser of web addresses knows every spelling of an IP address; what it knows is what is checked.
  if (host === '' || !URL.canParse(`http://${host}`)) throw new WeirError('invalid_input', problems.invalid);
  const [path = '', search = ''] = rest.split('#')[0]?.split('?') ?? [];
  const name = path.split('/').filter(Boolean).at(-1) ?? host;
  const [, password = ''] = splitOnce(authority.slice(0, Math.max(0, at)), ':');
  return {
    url,
    scheme: scheme.toLowerCase(),
    hostname: new URL(`http://${host}`).hostname,
    host,
    query: new URLSearchParams(search),
    name: name.slice(0, 255),
    secrets: [password, decodedText(password) ?? password, search].filter((text) => text.length > 3),
  };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + separator.length)];
}
