import { Branding, brandingApi } from '@weir/contract';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';

interface Offers extends Feature {
  readonly service: { read(): Promise<Branding> };
}

/** Title and footer text of every page. Kept and shown as plain text. */
export function brandingFeature({ store }: { readonly store: Store }): Offers {
  const texts = store.single('branding/site', Branding);
  return {
    service: { read: async () => (await texts.get()) ?? { title: '', icp: '' } },
    routes: (http) => {
      http.route(brandingApi.query, async () => (await texts.get()) ?? {});
      http.route(brandingApi.update, async ({ beian, text }) => {
        await texts.update((current = { title: '', icp: '' }) => ({ ...current, [beian]: text.trim() }));
      });
    },
  };
}
