import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section, SectionGroup } from '../../components/ui/layout/section.tsx';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { PasswordPanel } from './password-panel.tsx';
import { signInBookmark } from './sign-in-address.ts';
import { SignOutPanel } from './sign-out-panel.tsx';

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

/** Whether a secret is needed to publish. */
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
