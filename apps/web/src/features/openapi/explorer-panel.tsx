import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import type { ApiCall } from './api-calls.ts';
import { CallResult } from './call-result.tsx';
import { useTryOut } from './use-try-out.ts';

interface ExplorerPanelProps {
  anchor: string;
  calls: readonly ApiCall[];
  call: ApiCall;
  secret: string;
  body: string;
  onChoose: (call: ApiCall) => void;
  onBody: (body: string) => void;
}

/** Any call of the API, made with the API secret as a script would make it. */
export function ExplorerPanel({ anchor, calls, call, secret, body, onChoose, onBody }: ExplorerPanelProps) {
  const { t } = useTranslation();
  const [isBadJson, setIsBadJson] = useState(false);
  const tryOut = useTryOut();
  const choose = (name: string) => {
    const next = calls.find((candidate) => candidate.name === name);
    if (!next) return;
    tryOut.reset();
    setIsBadJson(false);
    onChoose(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tryOut.isRunning) return;
    if (tryOut.outcome) {
      tryOut.reset();
      return;
    }
    const isGood = call.body === undefined || isJson(body);
    setIsBadJson(!isGood);
    if (isGood) tryOut.run(call, { secret, body: call.body === undefined ? '{}' : body });
  };

  return (
    <Section title={t('openapi.explorer')} help={t('openapi.explorerHelp')} anchor={anchor}>
      {secret === '' && <Notice tone="info" title={`${t('openapi.secretEmpty')} ${t('openapi.secret')}`} />}
      <form onSubmit={submit}>
        <Stack gap="md">
          <NativeSelect
            size="md"
            label={t('openapi.call')}
            description={call.summary}
            value={call.name}
            onChange={(event) => choose(event.currentTarget.value)}
            data={groupCalls(calls)}
          />
          <CopyField label={t('openapi.url')} value={call.name} />
          {!call.isPublic && (
            <CopyField label={t('openapi.header')} value={`Authorization: Bearer ${secret}`} secret={secret} />
          )}
          {call.body !== undefined && (
            <Textarea
              size="md"
              label={t('openapi.body')}
              rows={5}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.875rem' } }}
              value={body}
              onChange={(event) => onBody(event.currentTarget.value)}
              error={isBadJson && !isJson(body) ? t('openapi.bodyInvalid') : undefined}
            />
          )}
          <Group>
            <Button type="submit" loading={tryOut.isRunning} disabled={secret === ''}>
              {tryOut.outcome ? t('openapi.reset') : t('openapi.tryOut')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('openapi.real')}
            </Text>
          </Group>
        </Stack>
      </form>
      {tryOut.outcome && <CallResult outcome={tryOut.outcome} />}
    </Section>
  );
}

function groupCalls(calls: readonly ApiCall[]) {
  const groups = [...new Set(calls.map(({ group }) => group))];
  return groups.map((group) => ({
    group,
    items: calls.filter((call) => call.group === group).map(({ name }) => name),
  }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
