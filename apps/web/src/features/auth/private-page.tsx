import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useHasEnded } from '../../lib/credentials.ts';
import { useLocalPath } from '../../lib/paths.ts';
import { EntryCard } from './entry-card.tsx';
import { remembersSignIn, signInPath } from './sign-in/sign-in-address.ts';
import { useEndedText } from './sign-in/use-ended-text.ts';

/** What a passer-by sees. Only a browser that was signed in before is shown the way to the form. */
export function PrivatePage() {
  const { t } = useTranslation();
  const endedText = useEndedText();
  const localPath = useLocalPath();
  const hasEnded = useHasEnded();
  const [title, text] = hasEnded
    ? [t('login.endedTitle'), endedText]
    : [t('login.privateTitle'), t('login.privateText')];
  return (
    <EntryCard title={title} text={text}>
      {(hasEnded || remembersSignIn()) && (
        <Button component={Link} to={localPath(signInPath)} variant={hasEnded ? 'filled' : 'default'}>
          {t('login.again')}
        </Button>
      )}
    </EntryCard>
  );
}
