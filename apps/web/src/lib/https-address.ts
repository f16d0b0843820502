/** Parameters by which pages of ours name the port of the page. */
const portParameters = ['port', 'api'];

/**
 * The same page of this server over HTTPS, query included. Whoever reaches it at the usual port of HTTP does so at the usual port of
 * HTTPS as well, whatever the server itself listens on.
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
