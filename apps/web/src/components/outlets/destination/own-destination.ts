/** How streams are pushed to this very server. */
export interface OwnServer {
  /** `rtmp://localhost:1935/live/`: the server replaces host, port and secret by what works from inside. */
  readonly server: string;
  /** Every address that means this server, without the slash at the end. */
  readonly aliases: readonly string[];
  readonly publishSecret: string;
}

interface Destination {
  readonly server: string;
  readonly secret: string;
}

/** What a stream name on this server is as an address and a key, which is all that other clients know. */
export function toOwnDestination(name: string, { server, publishSecret }: OwnServer): Destination {
  const secret = publishSecret === '' ? '' : `?secret=${publishSecret}`;
  return { server, secret: `${name.trim()}${secret}` };
}

/** The stream name of a destination on this server; undefined when it is elsewhere. */
export function ownStreamName({ server, secret }: Destination, { aliases }: OwnServer): string | undefined {
  const place = server.trim().replace(/\/+$/, '').toLowerCase();
  if (!aliases.includes(place)) return undefined;
  const [name = ''] = secret.trim().replace(/^\/+/, '').split('?');
  return name;
}

/** What may be typed: one level of a path, without what an address gives another meaning. */
export function isStreamName(name: string): boolean {
  return /^[^\s/?#&=%\\]{1,200}$/u.test(name.trim());
}
