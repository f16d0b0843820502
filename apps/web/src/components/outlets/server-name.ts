/** The name in the address of a server, without path and query, which may hold secrets. */
export function serverName(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : '';
}
