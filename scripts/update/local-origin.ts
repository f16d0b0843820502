/** Origin at which programs of this machine reach the server that listens there. */
export function localOrigin({ host, port }: { readonly host?: string | undefined; readonly port: number }): string {
  const name = ['', '0.0.0.0', '::'].includes(host ?? '') ? '127.0.0.1' : (host ?? '');
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
