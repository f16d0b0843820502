import { List, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { type ApiCall, exampleBody, listCalls, sampleCall } from './api-calls.ts';
import { ExplorerPanel } from './explorer-panel.tsx';
import { apiDocumentQuery, apiSecretQuery } from './openapi-queries.ts';
import { ReferencePanel } from './reference-panel.tsx';
import { curlSample, jquerySample } from './samples.ts';
import { SecretPanel } from './secret-panel.tsx';

const explorerAnchor = 'explorer';

/** The call that is chosen in the explorer is the one the samples show. */
export function OpenapiTab() {
  const { t } = useTranslation();
  const secret = useQuery(apiSecretQuery).data ?? '';
  const document = useQuery(apiDocumentQuery).data;
  const calls = document ? listCalls(document) : [sampleCall];
  const [chosen, setChosen] = useState({ name: sampleCall.name, body: '{}' });
  const call = calls.find(({ name }) => name === chosen.name) ?? sampleCall;
  const choose = ({ name, body }: ApiCall) => setChosen({ name, body: JSON.stringify(exampleBody(body), null, 2) });
  const tryCall = (next: ApiCall) => {
    choose(next);
    window.document.getElementById(explorerAnchor)?.focus();
  };
  const sample = { call, origin: window.location.origin, secret, body: oneLine(chosen.body) };

  return (
    <Stack gap="md">
      <Section title={t('openapi.title')} help={t('openapi.summary')}>
        <List size="sm" spacing={4}>
          <List.Item>{t('openapi.usageSecret')}</List.Item>
          <List.Item>{t('openapi.usageCalls')}</List.Item>
        </List>
      </Section>
      <SecretPanel />
      <ExplorerPanel
        anchor={explorerAnchor}
        calls={calls}
        call={call}
        secret={secret}
        body={chosen.body}
        onChoose={choose}
        onBody={(body) => setChosen({ ...chosen, body })}
      />
      <Section title={t('openapi.curl')} help={call.name}>
        <CopyField label={t('openapi.curlCopy')} value={curlSample(sample)} secret={secret} isLong />
      </Section>
      <Section title={t('openapi.jquery')} help={call.name}>
        <CopyField label={t('openapi.codeCopy')} value={jquerySample(sample)} secret={secret} isLong />
      </Section>
      {document && <ReferencePanel calls={calls} version={document.info.version} onTry={tryCall} />}
    </Stack>
  );
}

/** What is not valid JSON is shown as it was typed. */
function oneLine(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}
