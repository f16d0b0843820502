import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { authApi, consoleTimes } from '@weir/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths, useLocalPath } from '../../app/paths.ts';
import { client } from '../../lib/api.ts';
import { saveCredentials } from '../../lib/credentials.ts';
import { attemptError } from './attempt-error.ts';
import { EntryCard } from './entry-card.tsx';
import { PasswordField, ShowPassword } from './password-field.tsx';
import { rememberSignIn } from './sign-in-address.ts';
import { useAttemptText } from './use-attempt-text.ts';

export function LoginForm() {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [isShown, setIsShown] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const login = useLogin();
  const error = useAttemptText(login.error);
  const isBusy = login.isPending || login.isSuccess;

  // The one thing to do on this page: the cursor waits in it, and returns to it after a refusal.
  useEffect(() => {
    if (!isBusy) field.current?.focus();
  }, [isBusy]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) login.mutate(password);
  };

  return (
    <EntryCard title={t('login.title')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <PasswordField
            ref={field}
            label={t('login.passwordLabel')}
            description={t('login.passwordTip')}
            autoComplete="current-password"
            isShown={isShown}
            value={password}
            onChange={setPassword}
            error={error}
          />
          <ShowPassword
            isShown={isShown}
            onChange={(next) => {
              setIsShown(next);
              field.current?.focus();
            }}
          />
          <Button type="submit" size="md" fullWidth loading={isBusy}>
            {t('login.labelLogin')}
          </Button>
        </Stack>
      </form>
    </EntryCard>
  );
}

function useLogin() {
  const navigate = useNavigate();
  const localPath = useLocalPath();
  return useMutation({
    mutationFn: async (password: string) => {
      const answer = await client.call(authApi.login, { password });
      await new Promise((resolve) => setTimeout(resolve, consoleTimes.signInDelayMs));
      return answer;
    },
    meta: { handles: (error) => attemptError(error) !== undefined },
    onSuccess: (answer) => {
      rememberSignIn();
      navigate(localPath(paths.scenario), { replace: true });
      saveCredentials(answer);
    },
  });
}
