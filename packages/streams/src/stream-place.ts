/** The vhost of every stream that names none. */
export const defaultVhost = '__defaultVhost__';

/** Length limit for an app and for a stream name. */
export const maxNameLength = 512;

/** Address of a stream: vhost, app and name. `app` may have several levels. */
export interface StreamPlace {
  readonly vhost: string;
  readonly app: string;
  readonly name: string;
}

/** The same in the words of SRS, which hooks, API and contract use. */
export interface WirePlace {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

/**
 * `app/name`, with `vhost//` in front unless it is the default one. The one name of a stream in the engine's maps, logs and addresses.
 * No app has an empty level, so the two slashes keep the vhost `live` with its app `x` from being the app `live/x`.
 */
export function streamKey({ vhost, app, name }: StreamPlace): string {
  return vhost === defaultVhost ? `${app}/${name}` : `${vhost}//${app}/${name}`;
}

/** `vhost/app/name`, the vhost always: what tells streams apart in the control plane. */
export function placeText({ vhost, app, stream }: WirePlace): string {
  return `${vhost}/${app}/${stream}`;
}

/** Display form `app/name`, with the vhost in front unless it is the default one. */
export function streamLabel({ vhost, app, stream }: WirePlace): string {
  return vhost === defaultVhost ? `${app}/${stream}` : placeText({ vhost, app, stream });
}

/**
 * Names come from strangers and become files and addresses: what could mean something there is refused, the backslash too,
 * which some systems take for a slash. One rule for every protocol, so that what one publishes another can play.
 */
export function isUsableName(name: string): boolean {
  // Half a character has no form in bytes, so nothing that leaves this process could name it.
  if (name === '' || name.length > maxNameLength || !name.isWellFormed() || /[\p{Cc}\\]/u.test(name)) return false;
  return name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** Vhost named in a query; undefined without one, or if it is invalid. */
export function parseVhost(query: string): string | undefined {
  const vhost = new URLSearchParams(query).get('vhost');
  if (vhost === null || vhost === '' || vhost.length > 255 || /[\p{Cc}/\\]/u.test(vhost)) return undefined;
  return vhost;
}
