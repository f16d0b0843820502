/** `host` or `host:port` of a server the page may name: nothing that would change the meaning of an address. */
export function parseHost(text: string | null, fallback: string): string {
  return text !== null && /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])$/i.test(text) ? text : fallback;
}

export function parsePort(text: string | null): string | undefined {
  return text !== null && /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536 ? text : undefined;
}

function isDefaultPort(protocol: string, port: string): boolean {
  return (protocol === 'http:' && port === '80') || (protocol === 'https:' && port === '443');
}

/** `host` or `host:port`, without a port that goes without saying. */
export function formatAuthority(protocol: string, host: string, port: string): string {
  return port === '' || isDefaultPort(protocol, port) ? host : `${host}:${port}`;
}

/** One part of a path: every character that means something there is written as text. Slashes part apps. */
export function encodePath(text: string): string {
  return text
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(encodeURIComponent)
    .join('/');
}

/** The parameters that are not the page's own: a token, a secret, whatever the server wants to see. */
export function extraParameters(query: URLSearchParams, own: readonly string[]): [string, string][] {
  return [...query].filter(([name]) => !own.includes(name));
}
