import type { Branding } from '@weir/contract';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '../../components/ui/theme/brand-mark.tsx';
import { readStorage, storageKeys, writeStorage } from '../../lib/browser/browser-storage.ts';
import { accentColors } from './accent.ts';
import { IconDeviceDesktop, IconMoon, IconSun } from './icons.ts';
import classes from './viewer-frame.module.css';

const product = 'Weir';
const registry = 'https://beian.miit.gov.cn';

interface ViewerFrameProps {
  site: Branding;
  /** URL paths of the owner's pictures; empty without one. */
  logo?: string;
  background?: string;
  /** `#rrggbb`; empty for the colour of the product. */
  accent?: string;
  children: ReactNode;
}

/** Frame of pages for viewers: logo and name of the owner, theme, footer. */
export function ViewerFrame({ site, logo = '', background = '', accent = '', children }: ViewerFrameProps) {
  const { t } = useTranslation();
  const name = site.title || product;
  return (
    <div className={classes.page} style={accentStyle(accent)}>
      {background !== '' && (
        <div
          className={classes.background}
          style={{ backgroundImage: `url("${CSS.escape(background)}")` }}
          aria-hidden
        />
      )}
      <header className={classes.bar}>
        {logo === '' ? (
          <BrandMark size={26} />
        ) : (
          <img className={classes.logo} src={logo} alt={t('watch.brand', { site: name })} />
        )}
        <span className={classes.site}>{name}</span>
        <ThemeButton />
      </header>
      {children}
      <footer className={classes.footer}>
        <span>{name}</span>
        {site.icp !== '' && (
          <a href={registry} target="_blank" rel="noopener noreferrer">
            {site.icp}
          </a>
        )}
      </footer>
    </div>
  );
}

/** The owner's colour with what makes it readable. Set by script, because the policy of the page allows no styles in its text. */
export function accentStyle(accent: string): CSSProperties | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return undefined;
  const colors = accentColors(accent);
  const properties = {
    '--accent': colors.accent,
    '--on-accent': colors.onAccent,
    '--accent-on-light': colors.textOnLight,
    '--accent-on-dark': colors.textOnDark,
  };
  return properties as CSSProperties;
}

const schemes = ['auto', 'light', 'dark'] as const;
type Scheme = (typeof schemes)[number];
const schemeIcons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;

function ThemeButton() {
  const { t } = useTranslation();
  const [scheme, setScheme] = useState<Scheme>(readScheme);
  const Mark = schemeIcons[scheme];
  const name = t('watch.theme', { name: t(`watch.themeName.${scheme}`) });
  const change = () => {
    const next = schemes[(schemes.indexOf(scheme) + 1) % schemes.length] ?? 'auto';
    writeStorage(storageKeys.colorScheme, next);
    const isDark = next === 'dark' || (next === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
    setScheme(next);
  };
  return (
    <button type="button" className={classes.theme} aria-label={name} title={name} onClick={change}>
      <Mark size={18} stroke={1.7} aria-hidden />
    </button>
  );
}

function readScheme(): Scheme {
  const stored = readStorage(storageKeys.colorScheme);
  return schemes.find((scheme) => scheme === stored) ?? 'auto';
}
