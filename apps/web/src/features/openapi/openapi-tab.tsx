import { Anchor, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authApi, type Locale, openApiPath } from '@weir/contract';
import type { ApiDocument } from '@weir/contract/openapi';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { saveCredentials } from '../../lib/credentials.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import {
  type ApiCall,
  type ApiField,
  curlSample,
  describeType,
  exampleBody,
  jquerySample,
  listCalls,
  listFields,
  sampleCall,
} from './api-calls.ts';
import { ExplorerPanel } from './explorer-panel.tsx';
import classes from './openapi.module.css';

const apiSecretQuery = queryOptions({
  queryKey: ['api-secret'],
  queryFn: ({ signal }) => client.call(authApi.apiSecret, {}, { signal }),
});

/** OpenAPI document of the server, described in the language of the console. Changes only with the version. */
const apiDocumentQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['api-document', locale],
    queryFn: async ({ signal }): Promise<ApiDocument> => {
      const response = await fetch(`${openApiPath}?lang=${locale}`, { signal, credentials: 'omit' });
      if (!response.ok) throw new Error(`Request failed with status code ${response.status}`);
      return response.json();
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: true,
  });

const explorerAnchor = 'explorer';

/** The samples show the call chosen in the explorer. */
export function OpenapiTab() {
  const { t } = useTranslation();
  const secret = useQuery(apiSecretQuery).data ?? '';
  const document = useQuery(apiDocumentQuery(useLocale())).data;
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
    <>
      <PageHead
        title={t('openapi.tab')}
        purpose={t('openapi.summary')}
        help={{
          panel: '0',
          content: (
            <List size="sm" spacing={4}>
              <List.Item>{t('openapi.usageSecret')}</List.Item>
              <List.Item>{t('openapi.usageCalls')}</List.Item>
            </List>
          ),
        }}
      />
      <Stack gap="md">
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
    </>
  );
}

/** Invalid JSON is shown as typed. */
function oneLine(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

function SecretPanel() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const secret = useQuery(apiSecretQuery);
  const [isAsking, setIsAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => client.call(authApi.rotateApiSecret),
    onSuccess: ({ secret: fresh, ...session }) => {
      // The secret signs sessions; the response carries a new session for this browser.
      saveCredentials(session);
      queries.setQueryData(apiSecretQuery.queryKey, fresh);
      notify.success(t('openapi.rotateOk'));
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <Section title={t('openapi.secret')} help={t('openapi.secretTip')} state={<StaleChip {...secret} />}>
      <Stack gap="md" maw={560}>
        <CopyField label={t('openapi.secretCopy')} value={secret.data ?? ''} isSecret />
        <Group>
          <Button variant="default" onClick={() => setIsAsking(true)} disabled={!secret.data}>
            {t('openapi.rotate')}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        title={t('openapi.rotate')}
        text={t('openapi.rotateConfirm')}
        action={t('openapi.rotate')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}

interface ReferencePanelProps {
  calls: readonly ApiCall[];
  version: string;
  onTry: (call: ApiCall) => void;
}

function ReferencePanel({ calls, version, onTry }: ReferencePanelProps) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter.trim().toLowerCase());
  const shown = calls.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(wanted));
  return (
    <Section
      title={t('openapi.reference')}
      help={t('openapi.referenceHelp', { count: calls.length, version })}
      anchor="reference"
      state={
        <Anchor href={`${openApiPath}?lang=${useLocale()}`} target="_blank" size="sm">
          {t('openapi.document')}
        </Anchor>
      }
    >
      <Stack gap="md">
        <TextInput
          size="md"
          maw={432}
          label={t('openapi.filter')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <div>
          {shown.map((call) => (
            <ReferenceEntry key={call.name} call={call} onTry={onTry} />
          ))}
          {shown.length === 0 && <Text c="dimmed">{t('openapi.noMatch')}</Text>}
        </div>
      </Stack>
    </Section>
  );
}

function ReferenceEntry({ call, onTry }: { call: ApiCall; onTry: (call: ApiCall) => void }) {
  const { t } = useTranslation();
  // Closed entries render nothing: a hundred tables would make the page slow.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={classes.entry} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <code>{call.name}</code>
        <span className={classes.summary}>{call.summary}</span>
      </summary>
      {isOpen && (
        <Stack gap="sm" py="sm">
          <Text size="sm" c="dimmed">
            {call.isPublic ? t('openapi.public') : t('openapi.needsCredential')}
          </Text>
          <Fields title={t('openapi.request')} fields={listFields(call.body)} none={t('openapi.noFields')} />
          <Fields
            title={t('openapi.answer')}
            fields={listFields(call.data)}
            none={call.data ? describeType(call.data) : t('openapi.noFields')}
          />
          <div>
            <Button variant="default" onClick={() => onTry(call)}>
              {t('openapi.toExplorer')}
            </Button>
          </div>
        </Stack>
      )}
    </details>
  );
}

function Fields({ title, fields, none }: { title: string; fields: readonly ApiField[]; none: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {fields.length === 0 && <Text size="sm">{none}</Text>}
      <ul className={classes.fields}>
        {fields.map(({ name, type, isRequired }) => (
          <li key={name}>
            <code>{name}</code> {type}
            {isRequired ? '' : ` (${t('openapi.optional')})`}
          </li>
        ))}
      </ul>
    </div>
  );
}
