/**
 * The address of a live input in a form that ffmpeg reads rightly. People paste passwords with signs that mean something in
 * an address; those are written as what they are. An address that is right already stays as it is, letter by letter.
 */
export function rebuildAddress(address: string): string {
  const match = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(address);
  if (!match) return address;
  const [, scheme = '', rest = ''] = match;
  // In those of SRT a `#` is common, and there is no user.
  if (scheme.toLowerCase() === 'srt' || isPlain(address, rest)) return address;
  const end = endOfHost(rest);
  const authority = rest.slice(0, end);
  const at = authority.lastIndexOf('@');
  if (at < 0) return address;
  const [user, password] = splitOnce(authority.slice(0, at), ':');
  const login = password === undefined ? encodeLogin(user) : `${encodeLogin(user)}:${encodeLogin(password)}`;
  return `${scheme}://${login}@${authority.slice(at + 1)}${rest.slice(end)}`;
}

/** True if the URL parser finds the host where a person sees it and the login needs no escaping. */
function isPlain(address: string, rest: string): boolean {
  if (!URL.canParse(address)) return false;
  const authority = rest.slice(0, endOfHost(rest));
  const at = authority.lastIndexOf('@');
  return at < 0 || /^(?:[\w.~$&+=;,:-]|%[0-9a-f]{2})*$/i.test(authority.slice(0, at));
}

/**
 * End of the host: the first slash, question mark or end after it. Signs before the last `@` of the authority belong to the login. A
 * slash belongs to it too where the text before it is no host, as in `user:pa/ss@host`.
 */
function endOfHost(rest: string): number {
  const end = endOfAuthority(rest, 0);
  if (isHost(hostBefore(rest, end))) return end;
  for (let at = rest.indexOf('@', end); at >= 0; at = rest.indexOf('@', at + 1)) {
    const later = endOfAuthority(rest, at + 1);
    if (isHost(rest.slice(at + 1, later))) return later;
  }
  return end;
}

function endOfAuthority(rest: string, from: number): number {
  const slash = rest.indexOf('/', from);
  const beforePath = slash < 0 ? rest.length : slash;
  const at = rest.slice(from, beforePath).lastIndexOf('@');
  const question = rest.slice(0, beforePath).indexOf('?', at < 0 ? from : from + at + 1);
  return question < 0 ? beforePath : question;
}

function hostBefore(rest: string, end: number): string {
  return rest.slice(rest.lastIndexOf('@', end - 1) + 1, end);
}

/** A name or address with an optional port. */
function isHost(text: string): boolean {
  return /^(?:\[[\da-f:.%]+\]|[^\s:/?#@[\]]+)(?::\d{1,5})?$/i.test(text);
}

function splitOnce(text: string, sign: string): [string, string | undefined] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Characters written as they are: RFC 3986 unreserved ones and the sub-delims that cameras are known to read. */
function encodeLogin(text: string): string {
  return text.replace(/[^A-Za-z0-9_.~$&+=-]/gu, (sign) =>
    [...new TextEncoder().encode(sign)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
