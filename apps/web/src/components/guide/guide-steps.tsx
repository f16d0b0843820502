import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconExternalLink } from '../ui/theme/icons.ts';
import classes from './guide.module.css';

export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}

export function Step({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <li className={classes.step}>
      <h3 className={classes.stepTitle}>{title}</h3>
      {text && <Text size="sm">{text}</Text>}
      {children}
    </li>
  );
}

/** Firewall step, such as `TCP/1935`. */
export function PortStep({ port, text }: { port: string; text?: string }) {
  const { t } = useTranslation();
  return <Step title={t('live.share.fw', { port })} text={text ?? t('live.share.fwText', { port })} />;
}

/** Last step: publishing starts, and the panel at the top takes over. */
export function StartStep({ text }: { text: string }) {
  const { t } = useTranslation();
  return <Step title={t('live.share.start')} text={text} />;
}

/** Link that opens in a new tab: downloads and players. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" className={classes.outside}>
      {children}
      <IconExternalLink size={14} aria-hidden />
    </Anchor>
  );
}

export const downloads = {
  obs: 'https://obsproject.com/download',
  obsReleases: 'https://github.com/obsproject/obs-studio/releases',
  ffmpeg: 'https://ffmpeg.org/download.html',
} as const;
