/** `t` of a page's address: the second a recording begins at. Anything that is none means its beginning. */
export function parseStartSecond(page: URL): number {
  const text = page.searchParams.get('t') ?? '';
  return /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
}
