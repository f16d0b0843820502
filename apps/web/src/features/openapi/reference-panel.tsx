import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { openApiPath } from '@weir/contract';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/ui/layout/section.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { type ApiCall, type ApiField, describeType, listFields } from './api-calls.ts';
import classes from './openapi.module.css';

interface ReferencePanelProps {
  calls: readonly ApiCall[];
  version: string;
  onTry: (call: ApiCall) => void;
}

export function ReferencePanel({ calls, version, onTry }: ReferencePanelProps) {
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
