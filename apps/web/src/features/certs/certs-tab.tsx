import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { CertificatePanel } from './certificate-panel.tsx';
import { certStatusQuery, pairQuery } from './certs-queries.ts';
import { FilesForm } from './files-form.tsx';
import { OrderForm } from './order-form.tsx';

export function CertsTab() {
  const { t } = useTranslation();
  const { data: saved } = useQuery(pairQuery);
  const { data: status } = useQuery(certStatusQuery);
  if (status?.elsewhere) return <Notice tone="bad" title={t('errs.managedHttps')} />;
  return (
    <Stack gap="md">
      <CertificatePanel />
      {saved && (
        <Accordion
          initial={saved.provider === 'ssl' ? '1' : '0'}
          items={[
            {
              key: '0',
              title: t('settings.letsTitle'),
              help: t('certs.letsHelp'),
              content: withTutorial(<OrderForm domain={saved.domain} />),
            },
            {
              key: '1',
              title: t('settings.sslFileTitle'),
              help: t('certs.filesHelp'),
              content: withTutorial(<FilesForm saved={saved} />),
            },
          ]}
        />
      )}
    </Stack>
  );
}

function withTutorial(content: ReactNode): ReactNode {
  return (
    <>
      <TutorialButton set="https" />
      {content}
    </>
  );
}
