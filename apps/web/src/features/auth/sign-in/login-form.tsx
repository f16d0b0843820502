import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { saveCredentials, useHasEnded } from '../../../lib/credentials.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { EntryCard } from '../entry-card.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useEndedText } from './use-ended-text.ts';

export function LoginForm() {
  const { t } = useTranslation();
  const endedText = useEndedText();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const hasEnded = useHasEnded();
  return (
    <EntryCard title={t('login.title')} {...(hasEnded && { text: endedText })}>
      <SignInForm
        onSignedIn={(answer) => {
          navigate(localPath(paths.scenario), { replace: true });
          saveCredentials(answer);
        }}
      />
    </EntryCard>
  );
}
