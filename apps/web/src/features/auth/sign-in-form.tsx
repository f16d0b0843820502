import { Button, Code, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { authApi, consoleTimes, demoPassword } from '@weir/contract';
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { joinSentences } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { KeepAliveContext } from '../../lib/keep-alive-context.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { PasswordField, ShowPassword } from './password-field.tsx';
import { rememberSignIn } from './sign-in-address.ts';
import { toAttemptError, useAttemptText, useAttemptWait } from './sign-in-attempt.ts';

/** Password field and button. The caller decides what happens after sign-in. */
export function SignInForm({ onSignedIn }: { onSignedIn: (answer: unknown) => void }) {
  const { t } = useTranslation();
  const isDemo = useQuery(environmentQuery).data?.isDemo === true;
  const [typed, setPassword] = useState<string>();
  const password = typed ?? (isDemo ? demoPassword : '');
  const [isShown, setIsShown] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const login = useLogin(onSignedIn);
  const error = useAttemptText(login.error);
  const isBusy = login.isPending || login.isSuccess;
  const isWaiting = useAttemptWait(login.error) > 0;

  // The field gets the focus at first and after a refusal.
  useEffect(() => {
    if (!isBusy) field.current?.focus();
  }, [isBusy]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && !isWaiting) login.mutate(password);
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {isDemo && <Notice tone="info" title={t('login.demo')} />}
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
        <Button type="submit" size="md" fullWidth loading={isBusy} disabled={isWaiting}>
          {t('login.labelLogin')}
        </Button>
        <Text size="sm" c="dimmed">
          <Trans i18nKey="login.forgotten" components={{ code: <Code /> }} />
        </Text>
      </Stack>
    </form>
  );
}

function useLogin(onSignedIn: (answer: unknown) => void) {
  return useMutation({
    mutationFn: async (password: string) => {
      const answer = await client.call(authApi.login, { password });
      await new Promise((resolve) => setTimeout(resolve, consoleTimes.signInDelayMs));
      return answer;
    },
    meta: { handles: (error) => toAttemptError(error) !== undefined },
    onSuccess: (answer) => {
      rememberSignIn();
      onSignedIn(answer);
    },
  });
}

/** Text for an ended session. Mentions open pages only if there are any. */
export function useSignInEndedText(): string {
  const { t } = useTranslation();
  const locale = useLocale();
  const isKept = useContext(KeepAliveContext);
  return joinSentences([t('login.endedText'), isKept ? t('login.endedKept') : ''], locale);
}
