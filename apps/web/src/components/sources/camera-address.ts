/** Parts of a camera's URL as people know them. */
interface CameraAddress {
  readonly scheme: string;
  /** Host with an optional port. */
  readonly host: string;
  readonly path: string;
  readonly user: string;
  readonly password: string;
}

export const noCameraAddress: CameraAddress = { scheme: 'rtsp', host: '', path: '', user: '', password: '' };

/** URL in which every character of user name and password counts as itself. */
export function toCameraUrl({ scheme, host, path, user, password }: CameraAddress): string {
  const login = user === '' && password === '' ? '' : `${encodeLogin(user)}:${encodeLogin(password)}@`;
  const rest = path.trim().replace(/^\/+/, '');
  return `${scheme}://${login}${host.trim()}${rest === '' ? '' : `/${rest}`}`;
}

/** Unlike `encodeURIComponent`, leaves no sign that a player could take for a separator. */
function encodeLogin(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Parts of a URL, for a user who pasted one where its parts are asked for. */
export function parseCameraUrl(url: string): CameraAddress | undefined {
  const [, scheme, rest = ''] = /^(rtsps?|rtmps?|srt|https?):\/\/(.+)$/i.exec(url.trim()) ?? [];
  if (scheme === undefined) return undefined;
  const [, login = '', host = '', path = ''] = /^(?:([^/]*)@)?([^/?#@]+)(.*)$/.exec(rest) ?? [];
  if (host === '') return undefined;
  const colon = login.indexOf(':');
  const [user, password] = colon < 0 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)];
  return {
    scheme: scheme.toLowerCase(),
    host,
    path: path.replace(/^\//, ''),
    user: decode(user),
    password: decode(password),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
