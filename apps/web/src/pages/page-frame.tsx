import { SegmentedControl } from '@mantine/core';
import type { Locale } from '@weir/contract';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '../components/ui/theme/brand-mark.tsx';
import { ThemeSwitch } from '../components/ui/theme/theme-switch.tsx';
import { switchLanguage, useLocale } from '../lib/i18n.ts';
import classes from './page-frame.module.css';
import { useSiteTitle } from './use-site-title.ts';

export interface PageLink {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
}

interface PageFrameProps {
  /** What this page is, for the browser's tab and the heading. */
  title: string;
  links: readonly PageLink[];
  /** Tables take what there is; a picture leaves room for what stands around it. */
  layout?: 'picture' | 'table';
  onLanguage?: (locale: Locale) => void;
  children: ReactNode;
}

/** Around every page outside the console: whose it is, where else to go, language and theme. */
export function PageFrame({ title, links, layout = 'picture', onLanguage = changeLanguage, children }: PageFrameProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const site = useSiteTitle();
  useEffect(() => {
    document.title = `${title} · ${site}`;
  }, [title, site]);
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <div className={classes.brand}>
          <BrandMark />
          <span className={classes.site}>{site}</span>
        </div>
        <nav className={classes.links} aria-label={t('pages.tools')}>
          {links.map(({ href, text, isCurrent }) => (
            <a key={text} href={href} className={classes.link} aria-current={isCurrent ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <div className={classes.switches}>
          <SegmentedControl
            size="xs"
            aria-label={t('shell.language')}
            data={[
              { value: 'en', label: 'English' },
              { value: 'zh', label: '中文' },
            ]}
            value={locale}
            transitionDuration={0}
            onChange={(next) => onLanguage(next === 'zh' ? 'zh' : 'en')}
          />
          <ThemeSwitch />
        </div>
      </header>
      <main className={classes.main} data-layout={layout}>
        <h1 className={classes.title}>{title}</h1>
        {children}
      </main>
    </div>
  );
}

/** In place: what plays goes on. The address keeps the choice where it named one. */
function changeLanguage(locale: Locale): void {
  const url = new URL(window.location.href);
  if (url.searchParams.has('lang')) {
    url.searchParams.set('lang', locale);
    window.history.replaceState(null, '', url);
  }
  switchLanguage(locale);
}
