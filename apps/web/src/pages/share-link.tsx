import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText, describeCopyFailure } from '../lib/copy.ts';
import classes from './share-link.module.css';

const confirmMs = 2000;
/** An explanation takes longer to read than a confirmation. */
const failureMs = 8000;

/** Copies the address of the page and confirms beside the button. */
export function ShareLink({ address }: { address: string }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState<{ text: string; ms: number }>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), said.ms);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    copyText(address).then(
      () => setSaid({ text: t('helper.copyOk'), ms: confirmMs }),
      (error: unknown) => setSaid({ text: describeCopyFailure(t, error), ms: failureMs }),
    );
  return (
    <div className={classes.share}>
      <Button variant="default" size="xs" onClick={copy}>
        {t('pages.share')}
      </Button>
      <span role="status">{said?.text}</span>
    </div>
  );
}
