import './page-styles.ts';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CrashBoundary } from '../components/ui/feedback/crash-boundary.tsx';
import { cssVariables, theme } from '../components/ui/theme/theme.ts';
import { storageKeys } from '../lib/browser/browser-storage.ts';
import { type Catalogues, startI18n } from '../lib/i18n.ts';
import { storedLocale } from '../lib/storage.ts';
import { selectPageLocale } from './page-locale.ts';

const texts: Catalogues = {
  en: () => import('../locales/pages-en.ts'),
  zh: () => import('../locales/pages-zh.ts'),
};

const colorSchemeManager = localStorageColorSchemeManager({ key: storageKeys.colorScheme });

/** Attributes of the HTML file: `data-page` is its name, `data-locale` fixes its language. */
interface PageFacts {
  readonly name: string;
  readonly address: URL;
}

/** Renders a page outside the console with the same theme but its own texts. */
export async function startPage(draw: (facts: PageFacts) => ReactNode): Promise<void> {
  const element = document.getElementById('root');
  if (!element) throw new Error('the page has no place to draw in');
  const address = new URL(window.location.href);
  const locale = selectPageLocale({
    fixed: element.dataset.locale,
    asked: address.searchParams.get('lang'),
    stored: storedLocale(),
    spoken: navigator.languages,
  });
  await startI18n(locale, texts);
  createRoot(element).render(
    <StrictMode>
      <CrashBoundary fallback={(error) => String(error)}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          colorSchemeManager={colorSchemeManager}
        >
          {draw({ name: element.dataset.page ?? '', address })}
        </MantineProvider>
      </CrashBoundary>
    </StrictMode>,
  );
}
