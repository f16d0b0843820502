import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLocalPath } from '../../app/paths.ts';
import { EntryCard } from './entry-card.tsx';
import { remembersSignIn, signInPath } from './sign-in-address.ts';

/** What a passer-by sees. Only a tab that was signed in before is shown the way to the form. */
export function PrivatePage() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <EntryCard title={t('login.privateTitle')} text={t('login.privateText')}>
      {remembersSignIn() && (
        <Button component={Link} to={localPath(signInPath)} variant="default">
          {t('login.again')}
        </Button>
      )}
    </EntryCard>
  );
}
