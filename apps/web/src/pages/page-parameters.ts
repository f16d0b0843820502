/** Accepts `host` and `[ipv6]` only, so that a parameter cannot change the meaning of the address. */
export function parseHost(text: string | null, fallback: string): string {
  return text !== null && /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])$/i.test(text) ? text : fallback;
}

export function parsePort(text: string | null): string | undefined {
  return text !== null && /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536 ? text : undefined;
}

function isDefaultPort(protocol: string, port: string): boolean {
  return (protocol === 'http:' && port === '80') || (protocol === 'https:' && port === '443');
}

/** Omits the default port of the protocol. */
export function formatAuthority(protocol: string, host: string, port: string): string {
  return port === '' || isDefaultPort(protocol, port) ? host : `${host}:${port}`;
}

/** Encodes each part of a path; slashes separate the levels of an app. */
export function encodePath(text: string): string {
  return text
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(encodeURIComponent)
    .join('/');
}

/** Parameters that do not belong to the page, such as a token or secret, are passed to the server. */
export function extraParameters(query: URLSearchParams, own: readonly string[]): [string, string][] {
  return [...query].filter(([name]) => !own.includes(name));
}
