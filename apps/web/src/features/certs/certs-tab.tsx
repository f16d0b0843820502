import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CertificateFacts, CertOrder, CertStatus } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { certificateState } from '../../components/certificate-state.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { type Fact, FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { certStatusQuery, pairQuery } from './certs-queries.ts';
import { FilesForm } from './files-form.tsx';
import { OrderForm } from './order-form.tsx';

export function CertsTab() {
  const { t } = useTranslation();
  const { data: saved } = useQuery(pairQuery);
  const { data: status } = useQuery(certStatusQuery);
  if (status?.elsewhere) return <Notice tone="bad" title={t('errs.managedHttps')} />;
  return (
    <>
      <PageHead
        title={t('settings.tabHttps')}
        state={status && <CertificatePill status={status} />}
        purpose={t('nav.purpose.https')}
      />
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
    </>
  );
}

/** The same verdict as in the panel below. */
function CertificatePill({ status: { certificate } }: { status: CertStatus }) {
  const { t } = useTranslation();
  if (!certificate) return <StatePill tone="off" word={t('overview.certNone')} />;
  const { expireAt, selfSigned } = certificate;
  const { tone, word } = certificateState({ expireAt, isSelfSigned: selfSigned }, Date.now());
  return <StatePill tone={tone} word={t(word)} />;
}

function withTutorial(content: ReactNode): ReactNode {
  return (
    <>
      <TutorialButton set="https" />
      {content}
    </>
  );
}

function CertificatePanel() {
  const { t } = useTranslation();
  const status = useQuery(certStatusQuery);
  return (
    <Section title={t('certs.title')} help={t('certs.help')} state={<StaleChip {...status} />}>
      {status.data && <State status={status.data} />}
    </Section>
  );
}

function State({ status }: { status: CertStatus }) {
  const { t } = useTranslation();
  const { certificate, order } = status;
  const facts: Fact[] = [{ term: t('certs.state'), value: <Validity certificate={certificate} /> }];
  if (certificate) {
    facts.push(
      { term: t('certs.names'), value: certificate.names.join(', ') },
      {
        term: t('certs.issuer'),
        value: certificate.selfSigned ? t('certs.selfSigned') : certificate.issuer,
      },
      { term: t('certs.validUntil'), value: <Moment at={certificate.expireAt} /> },
      { term: t('certs.renewal'), value: <Renewal status={status} /> },
    );
  }
  return (
    <Stack gap="md">
      <FactList facts={facts} />
      <OrderNotice order={order} />
    </Stack>
  );
}

function Validity({ certificate }: { certificate: CertificateFacts | null }) {
  const { t } = useTranslation();
  if (!certificate) return <StatusLabel tone="off" word={t('overview.certNone')} />;
  const { expireAt, selfSigned } = certificate;
  const { tone, word } = certificateState({ expireAt, isSelfSigned: selfSigned }, Date.now());
  if (word === 'certs.untrusted') {
    return (
      <>
        <StatusLabel tone={tone} word={t(word)} />
        <Text size="sm" c="dimmed">
          {t('certs.untrustedText')}
        </Text>
      </>
    );
  }
  return <StatusLabel tone={tone} word={t(word)} />;
}

function Renewal({ status: { provider, renewAt, order } }: { status: CertStatus }) {
  const { t } = useTranslation();
  if (provider !== 'lets' || renewAt === null) return t('certs.renewNever');
  return (
    <>
      {t(order.state === 'failed' ? 'certs.renewRetry' : 'certs.renewAt')} <Moment at={renewAt} />
    </>
  );
}

function OrderNotice({ order }: { order: CertOrder }) {
  const { t } = useTranslation();
  const { state, domain, at, reason, fault = 'other' } = order;
  if (state === 'running') {
    return <Notice tone="info" title={t('certs.ordering', { domain })} />;
  }
  if (state !== 'failed') return null;
  return (
    <Notice tone="bad" title={t('certs.orderFailed', { domain })}>
      <p>{t(`certs.orderFault.${fault}`, { domain })}</p>
      <p>{t(`certs.orderRemedy.${fault}`, { domain })}</p>
      <p>
        {t('certs.orderReason')} <q>{reason}</q>
      </p>
      <p>
        {at && <Moment at={at} />} {t('certs.orderFailedText')}
      </p>
    </Notice>
  );
}
