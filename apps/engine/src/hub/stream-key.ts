import { defaultVhost } from '@weir/media';

/** Where a stream lives. `app` may have several levels. */
export interface StreamPlace {
  readonly vhost: string;
  readonly app: string;
  readonly name: string;
}

/** `app/name`, with the vhost in front unless it is the default one. The one name of a stream in maps, logs and hooks. */
export function streamKey({ vhost, app, name }: StreamPlace): string {
  return vhost === defaultVhost ? `${app}/${name}` : `${vhost}/${app}/${name}`;
}
