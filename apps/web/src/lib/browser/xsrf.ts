/**
 * Answers a cookie that something in front of this server may set against forged requests: what it holds goes back as a
 * header, which a page of another site cannot do. The server itself sets none and gives it no authority. For calls to
 * the page's own origin only.
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
