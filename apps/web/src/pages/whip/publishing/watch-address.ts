/** Where viewers watch what is published at a WHIP address. The right to publish does not travel along. */
export function buildWatchUrl(whip: URL, page: URL): string {
  const watch = new URL('/players/whep.html', page);
  const copy = (name: string) => {
    const value = whip.searchParams.get(name);
    if (value !== null) watch.searchParams.set(name, value);
  };
  for (const name of ['app', 'stream', 'vhost', 'eip']) copy(name);
  if (whip.hostname !== page.hostname) watch.searchParams.set('server', whip.hostname);
  if (whip.host !== page.host) {
    watch.searchParams.set('api', whip.port || (whip.protocol === 'https:' ? '443' : '80'));
  }
  watch.searchParams.set('autostart', 'true');
  return watch.pathname + watch.search;
}
