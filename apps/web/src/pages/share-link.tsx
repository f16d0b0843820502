import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../lib/copy.ts';
import classes from './share-link.module.css';

const confirmMs = 2000;

/** Copies the address of this page as it stands, and says so in its own place. */
export function ShareLink({ address }: { address: string }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), confirmMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    copyText(address).then(
      () => setSaid(t('helper.copyOk')),
      (error: unknown) => setSaid(`${t('helper.copyFail')} ${error instanceof Error ? error.message : String(error)}`),
    );
  return (
    <div className={classes.share}>
      <Button variant="default" size="xs" onClick={copy}>
        {t('pages.share')}
      </Button>
      <span role="status">{said}</span>
    </div>
  );
}
