import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Catalogues, startI18n } from '../../lib/i18n.ts';
import { storedLocale } from '../../lib/storage.ts';
import { selectPageLocale } from '../page-locale.ts';
import { type PageData, readPageData } from './page-data.ts';
import './viewer.css';

/** Renders a page for viewers: no library of components, and the data that the server wrote into it. */
export async function startViewer(draw: (data: PageData, address: URL) => ReactNode): Promise<void> {
  const element = document.getElementById('root');
  if (!element) throw new Error('the page has no place to draw in');
  const address = new URL(window.location.href);
  const asked = address.searchParams.get('lang');
  const locale = selectPageLocale({
    fixed: undefined,
    asked,
    stored: storedLocale(),
    spoken: navigator.languages,
  });
  await startI18n(locale, viewerTexts);
  createRoot(element).render(draw(readPageData(), address));
}

const en = import.meta.glob(['../../locales/en/pages/watch.json', '../../locales/en/shell/player.json'], {
  eager: true,
  import: 'default',
});
const zh = import.meta.glob(['../../locales/zh/pages/watch.json', '../../locales/zh/shell/player.json'], {
  eager: true,
  import: 'default',
});

/** Both languages travel with the page: another request would delay the first frame by more than they weigh. */
const viewerTexts: Catalogues = {
  en: async () => ({ files: en }),
  zh: async () => ({ files: zh }),
};
