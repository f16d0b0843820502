import { type ActiveStream, defaultVhost } from '@weir/contract';

/** `app/stream`, with the vhost in front unless it is the default one. */
export function streamLabel({ vhost, app, stream }: Pick<ActiveStream, 'vhost' | 'app' | 'stream'>): string {
  return vhost === defaultVhost ? `${app}/${stream}` : `${vhost}/${app}/${stream}`;
}
