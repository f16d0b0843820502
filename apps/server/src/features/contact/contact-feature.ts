import { ContactLinks, contactApi } from '@weir/contract';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';

/** Links of the contact page; empty on a new server. */
export function contactFeature({ store }: { readonly store: Store }): Feature {
  const links = store.setting('contact/links', ContactLinks);
  return {
    routes: (http) => {
      http.route(contactApi.query, () => links.read());
      http.route(contactApi.update, (changes) =>
        links.update((current) => ContactLinks.parse({ ...current, ...changes })),
      );
    },
  };
}
