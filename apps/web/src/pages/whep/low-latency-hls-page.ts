/** The player page for the same stream as low-latency HLS, which buffers more. Rights that the address has are kept. */
export function lowLatencyHlsPage(whep: URL): string {
  const query = new URLSearchParams(whep.search);
  const stream = query.get('stream') || 'livestream';
  for (const name of ['eip', 'secret']) query.delete(name);
  query.set('stream', `${stream}.ll.m3u8`);
  query.set('autostart', 'true');
  return `/players/srs_player.html?${query}`;
}
