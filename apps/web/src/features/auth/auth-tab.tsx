import { Box, Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { authApi, limits } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section, SectionGroup } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { signOut as forgetSession, saveCredentials } from '../../lib/credentials.ts';
import { notify } from '../../lib/notify.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { PasswordField, PasswordHint, passwordFault, ShowPassword } from './password-field.tsx';
import { signInBookmark } from './sign-in-address.ts';
import { toAttemptError, useAttemptText } from './sign-in-attempt.ts';

export function AuthTab() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('settings.tabAuth')} state={<PublishState />} purpose={t('nav.purpose.auth')} />
      <SectionGroup>
        <FeatureParts slot="accessPanels" props={{}} />
        <PasswordPanel />
        <Section isSplit title={t('settings.addressTitle')} help={t('settings.addressHelp')}>
          <Box maw={560}>
            <CopyField label={t('settings.addressLabel')} value={signInBookmark(window.location.origin)} />
          </Box>
        </Section>
        <SignOutPanel />
      </SectionGroup>
    </>
  );
}

/** Shows if publishing needs a secret. */
function PublishState() {
  const { t } = useTranslation();
  const auth = useQuery(publishAuthQuery).data;
  if (!auth) return null;
  return auth.pubNoAuth ? (
    <StatePill tone="warn" word={t('settings.openToAll')} />
  ) : (
    <StatePill tone="ok" word={t('settings.secretNeeded')} />
  );
}

function SignOutPanel() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const [isAsking, setIsAsking] = useState(false);
  const signOut = useMutation({
    mutationFn: () => client.call(authApi.logout, { all: true }),
    onSuccess: () => {
      navigate(localPath(paths.login));
      forgetSession();
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <Section isSplit title={t('settings.signOutTitle')} help={t('settings.signOutHelp')}>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('settings.signOutSubmit')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('settings.signOutTitle')}
        text={t('settings.signOutConfirm')}
        action={t('settings.signOutSubmit')}
        busy={signOut.isPending}
        onConfirm={() => signOut.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}

function PasswordPanel() {
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
            <Button
              type="submit"
              variant={password + newPassword !== '' ? 'filled' : 'default'}
              loading={change.isPending}
            >
              {t('settings.passwordSubmit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
