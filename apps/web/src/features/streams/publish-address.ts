const usualPorts = ['', '1935', '80', '443'];

/** Where an encoder publishes: the server ends in a slash, so that server and key together are the whole address. */
export function rtmpServer(hostname: string, rtmpPort: string): string {
  return `rtmp://${hostname}${usualPorts.includes(rtmpPort) ? '' : `:${rtmpPort}`}/live/`;
}

export function rtmpStreamKey(name: string, secret: string): string {
  return secret === '' ? name : `${name}?secret=${encodeURIComponent(secret)}`;
}
