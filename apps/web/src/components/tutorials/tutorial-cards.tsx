import { Anchor, VisuallyHidden } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { IconExternalLink } from '../ui/theme/icons.ts';
import { IconBilibili, IconEye, IconMedium, IconShare, IconThumbUp, IconYoutube } from './icons.ts';
import type { TutorialSet } from './tutorial-list.ts';
import classes from './tutorials.module.css';
import { type Tutorial, useTutorials } from './use-tutorials.ts';

// Bundled icons: loading a site's logo would tell it who opens this page.
const logos = { bilibili: IconBilibili, youtube: IconYoutube, medium: IconMedium } as const;

function TutorialCard({ tutorial }: { tutorial: Tutorial }) {
  const { t } = useTranslation();
  const { media, title, author, desc, link, counts, id } = tutorial;
  const Logo = logos[media];
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <Logo size={18} aria-hidden />
        <span>{t(`tutorials.media.${media}`)}</span>
        {counts && (
          <span className={classes.counts}>
            <Count mark={IconEye} label={t('tutorials.view')} value={counts.view} />
            <Count mark={IconThumbUp} label={t('tutorials.like')} value={counts.like} />
            <Count mark={IconShare} label={t('tutorials.share')} value={counts.share} />
          </span>
        )}
      </div>
      <h3 className={classes.title}>
        <Anchor href={link} target="_blank" rel="noopener noreferrer" inherit underline="hover">
          {title}
          {'\u00a0'}
          <IconExternalLink size={14} aria-hidden className={classes.outside} />
        </Anchor>
      </h3>
      <p className={classes.desc} title={desc}>
        {desc}
      </p>
      <p className={classes.author}>
        {t('tutorials.author', { author })}
        {id !== undefined && ` · ${id}`}
      </p>
    </li>
  );
}

function Count({ mark: Mark, label, value }: { mark: Icon; label: string; value: number }) {
  const locale = useLocale();
  // A site that hides a count answers zero.
  if (value === 0) return null;
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
  return (
    <span className={classes.count} title={`${label} ${value}`}>
      <Mark size={14} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden> {short}
    </span>
  );
}

export function TutorialCards({ set }: { set: TutorialSet }) {
  const tutorials = useTutorials(set);
  return (
    <ul className={classes.cards}>
      {tutorials.map((tutorial) => (
        <TutorialCard key={tutorial.link} tutorial={tutorial} />
      ))}
    </ul>
  );
}
