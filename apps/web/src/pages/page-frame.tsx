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
  /** Heading and browser tab. */
  title: string;
  links: readonly PageLink[];
  /** Tables use the full width; video leaves room for what surrounds it. */
  layout?: 'picture' | 'table';
  onLanguage?: (locale: Locale) => void;
  children: ReactNode;
}

/** Frame of every page outside the console: title, links, language and theme. */
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

/** Switches in place, so playback continues. Updates `lang` in the address if present. */
function changeLanguage(locale: Locale): void {
  const url = new URL(window.location.href);
  if (url.searchParams.has('lang')) {
    url.searchParams.set('lang', locale);
    window.history.replaceState(null, '', url);
  }
  switchLanguage(locale);
}
