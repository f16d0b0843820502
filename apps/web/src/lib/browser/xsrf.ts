/**
 * Echoes the XSRF cookie of a reverse proxy as a header, which pages of other sites cannot do. This server sets no such cookie and ignores
 * the header. Only for calls to the page's own origin.
 */
export function xsrfHeaders(): Record<string, string> {
  const token = readCookie('XSRF-TOKEN');
  return token === undefined ? {} : { 'x-xsrf-token': token };
}

function readCookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const value = pair.slice(name.length + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
