/** Query parameters with the port of the page itself. */
const portParameters = ['port', 'api'];

/**
 * Builds the HTTPS address of a page, query included. A page on the default HTTP port maps to the default HTTPS port, whatever port the
 * server listens on (a proxy may be in front).
 */
export function httpsAddress(page: URL, httpsPort: string): URL {
  const url = new URL(page);
  url.protocol = 'https:';
  url.port = page.port === '' ? '' : httpsPort;
  for (const name of portParameters) {
    if (url.searchParams.get(name) === (page.port || '80')) url.searchParams.set(name, url.port || '443');
  }
  return url;
}
