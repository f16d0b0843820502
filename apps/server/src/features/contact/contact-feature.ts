import { ContactLinks, contactApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';

const only = 'links';

/** Addresses the contact page leads to. A new server has none: it knows nobody to point to. */
export function contactRoutes(http: HttpApp, store: Store): void {
  const links = store.collection('contact', ContactLinks);
  http.route(contactApi.query, async () => (await links.get(only)) ?? ContactLinks.parse({}));
  http.route(contactApi.update, (changes) =>
    links.update(only, (current) => ContactLinks.parse({ ...current, ...changes })),
  );
}
