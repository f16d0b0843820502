import { Branding, brandingApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';

/** Title and footer text of every page. Kept and shown as plain text. */
export function brandingRoutes(http: HttpApp, store: Store): void {
  const texts = store.single('branding/site', Branding);
  http.route(brandingApi.query, async () => (await texts.get()) ?? {});
  http.route(brandingApi.update, async ({ beian, text }) => {
    await texts.update((current = { title: '', icp: '' }) => ({ ...current, [beian]: text.trim() }));
  });
}
