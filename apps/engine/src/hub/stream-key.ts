import { defaultVhost } from '@weir/media';

/** Where a stream lives. `app` may have several levels. */
export interface StreamPlace {
  readonly vhost: string;
  readonly app: string;
  readonly name: string;
}

/**
 * `app/name`, with `vhost//` in front unless it is the default one. The one name of a stream in maps, logs and addresses.
 * No app has an empty level, so the two slashes keep the vhost `live` with its app `x` from being the app `live/x`.
 */
export function streamKey({ vhost, app, name }: StreamPlace): string {
  return vhost === defaultVhost ? `${app}/${name}` : `${vhost}//${app}/${name}`;
}
