/** This server as a push destination. */
export interface OwnServer {
  /** `rtmp://localhost:1935/live/`: the server replaces host, port and secret by what works internally. */
  readonly server: string;
  /** All URLs of this server, without trailing slash. */
  readonly aliases: readonly string[];
  readonly publishSecret: string;
}

interface Destination {
  readonly server: string;
  readonly secret: string;
}

/** Converts a stream name on this server to server and key, the form that the wire has. */
export function toOwnDestination(name: string, { server, publishSecret }: OwnServer): Destination {
  const secret = publishSecret === '' ? '' : `?secret=${publishSecret}`;
  return { server, secret: `${name.trim()}${secret}` };
}

/** Stream name of a destination on this server; undefined if it is elsewhere. */
export function ownStreamName({ server, secret }: Destination, { aliases }: OwnServer): string | undefined {
  const place = server.trim().replace(/\/+$/, '').toLowerCase();
  if (!aliases.includes(place)) return undefined;
  const [name = ''] = secret.trim().replace(/^\/+/, '').split('?');
  return name;
}

/** One path level without characters that have a meaning in URLs. */
export function isStreamName(name: string): boolean {
  return /^[^\s/?#&=%\\]{1,200}$/u.test(name.trim());
}

/** Stream name made of a title: `Front door.mp4` → `front-door`. Letters of other scripts stay. */
export function suggestStreamName(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/\.(?:mp4|flv|ts|m4a|mp3|aac|mkv|mov)$/, '')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
}
