import { Branding, brandingApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';

const only = 'site';

/** Title and footer text of every page. Kept and shown as plain text. */
export function brandingRoutes(http: HttpApp, store: Store): void {
  const texts = store.collection('branding', Branding);
  http.route(brandingApi.query, async () => (await texts.get(only)) ?? {});
  http.route(brandingApi.update, async ({ beian, text }) => {
    await texts.update(only, (current = { title: '', icp: '' }) => ({ ...current, [beian]: text.trim() }));
    return null;
  });
}
