import { ContactLinks, contactApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';

/** Addresses the contact page leads to. A new server has none: it knows nobody to point to. */
export function contactRoutes(http: HttpApp, store: Store): void {
  const links = store.setting('contact/links', ContactLinks);
  http.route(contactApi.query, () => links.read());
  http.route(contactApi.update, (changes) => links.update((current) => ContactLinks.parse({ ...current, ...changes })));
}
