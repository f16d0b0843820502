import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { lowLatencyHlsPage } from './low-latency-hls-page.ts';
import classes from './whep-page.module.css';

/** The viewer's line does not carry the stream: what is left out, and what plays without gaps. */
export function SlowNotice({ url }: { url: URL }) {
  const { t } = useTranslation();
  return (
    <p className={classes.notice} role="status">
      {t('pages.slowLine')}{' '}
      <Anchor inherit href={lowLatencyHlsPage(url)}>
        {t('pages.slowLineLink')}
      </Anchor>
    </p>
  );
}
