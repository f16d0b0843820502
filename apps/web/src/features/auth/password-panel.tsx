import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { authApi, limits } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { saveCredentials } from '../../lib/credentials.ts';
import { notify } from '../../lib/notify.ts';
import { PasswordField, PasswordHint, passwordFault, ShowPassword } from './password-field.tsx';
import { toAttemptError, useAttemptText } from './sign-in-attempt.ts';

export function PasswordPanel() {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [isShown, setIsShown] = useState(false);
  const [isTooShort, setIsTooShort] = useState(false);
  const change = useMutation({
    mutationFn: (passwords: { password: string; newPassword: string }) =>
      client.call(authApi.changePassword, passwords),
    meta: { handles: (error) => toAttemptError(error) !== undefined },
    onSuccess: (session) => {
      saveCredentials(session);
      setPassword('');
      setNewPassword('');
      notify.success(t('helper.setOk'));
    },
  });
  const error = useAttemptText(change.error);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    setIsTooShort(newPassword.length < limits.passwordLeast);
    if (newPassword.length >= limits.passwordLeast) change.mutate({ password, newPassword });
  };

  return (
    <Section isSplit title={t('settings.passwordTitle')} help={t('settings.passwordHelp')}>
      <form onSubmit={submit}>
        <Stack gap="md" maw={432}>
          <PasswordField
            label={t('settings.passwordCurrent')}
            autoComplete="current-password"
            isShown={isShown}
            value={password}
            onChange={setPassword}
            error={error}
          />
          <PasswordField
            label={t('settings.passwordNew')}
            autoComplete="new-password"
            isShown={isShown}
            value={newPassword}
            onChange={setNewPassword}
            error={isTooShort ? passwordFault(t, newPassword) : undefined}
          />
          <PasswordHint value={newPassword} />
          <ShowPassword isShown={isShown} onChange={setIsShown} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('settings.passwordSubmit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
