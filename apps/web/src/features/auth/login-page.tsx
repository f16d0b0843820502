import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { authApi, errorTable } from '@weir/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { client, isTransient } from '../../lib/api.ts';
import { endSession, saveCredentials, useCredentials, useHasSessionEnded } from '../../lib/credentials.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { EntryCard } from './entry-card.tsx';
import { asksForSignIn, rememberSignIn, remembersSignIn, signInPath } from './sign-in-address.ts';
import { SignInForm, useSignInEndedText } from './sign-in-form.tsx';

/** Redirects when a session is stored; otherwise shows the form only at the sign-in address. */
export function LoginPage() {
  const credentials = useCredentials();
  const { search } = useLocation();
  if (credentials) return <SignInCheck token={credentials.token} />;
  return asksForSignIn(search) ? <LoginForm /> : <PrivatePage />;
}

/** Page for visitors. Links to the form only in a browser that was signed in before. */
function PrivatePage() {
  const { t } = useTranslation();
  const endedText = useSignInEndedText();
  const localPath = useLocalPath();
  const hasEnded = useHasSessionEnded();
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

/** Checks the stored session with the server. Keeps it while the server does not answer. */
function SignInCheck({ token }: { token: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const scenario = localPath(paths.scenario);
  const check = useQuery({
    queryKey: ['sign-in-check', token],
    // The first call tests the token alone, the second the header that later calls send.
    queryFn: async ({ signal }) => {
      await client.call(authApi.token, { token }, { signal, authorized: false });
      return client.call(authApi.token, {}, { signal });
    },
    retry: (_failures, error) => isTransient(error) || isTooMany(error),
    gcTime: 0,
    meta: { quiet: true },
  });

  useEffect(() => {
    if (check.isError) endSession();
  }, [check.isError]);
  useEffect(() => {
    if (!check.isSuccess) return;
    rememberSignIn();
    navigate(scenario, { replace: true });
  }, [check.isSuccess, navigate, scenario]);

  return (
    <EntryCard title={t('login.title')}>
      <Group gap="sm" role="status">
        <Loader size="sm" />
        <Text>{t('login.checking')}</Text>
        <StaleChip {...check} dataUpdatedAt={0} />
      </Group>
    </EntryCard>
  );
}

function isTooMany(error: unknown): boolean {
  return error instanceof ApiError && error.status === errorTable.too_many_tries.status;
}

function LoginForm() {
  const { t } = useTranslation();
  const endedText = useSignInEndedText();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const hasEnded = useHasSessionEnded();
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
