import { Branding, brandingApi } from '@weir/contract';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';

/** Title and footer text of every page. Kept and shown as plain text. */
export function brandingFeature({ store }: { readonly store: Store }): Feature {
  const texts = store.single('branding/site', Branding);
  return {
    routes: (http) => {
      http.route(brandingApi.query, async () => (await texts.get()) ?? {});
      http.route(brandingApi.update, async ({ beian, text }) => {
        await texts.update((current = { title: '', icp: '' }) => ({ ...current, [beian]: text.trim() }));
      });
    },
  };
}
