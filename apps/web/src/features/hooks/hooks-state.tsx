import { Stack, Text } from '@mantine/core';
import type { Hooks } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { JsonText } from '../../components/ui/facts/json-text.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { failureText } from './failure-text.ts';

/** What the server says of callbacks; nothing of the unsaved form. */
export function HooksState({ hooks }: { hooks: Hooks }) {
  const { t, i18n } = useTranslation();
  const { target, waiting, triedAt, status, tookMs, req, res } = hooks;
  const failed = failureText(t, hooks, i18n.language);
  const facts = [
    { term: t('hooks.state.target'), value: target === '' ? t('hooks.state.noTarget') : target },
    { term: t('hooks.state.waiting'), value: waiting },
    { term: t('hooks.state.triedAt'), value: triedAt === '' ? t('hooks.state.never') : <Moment at={triedAt} /> },
    ...(status > 0 ? [{ term: t('hooks.state.status'), value: status }] : []),
    ...(triedAt !== '' ? [{ term: t('hooks.state.took'), value: t('hooks.state.ms', { ms: tookMs }) }] : []),
  ];
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('hooks.state.note')}
      </Text>
      {failed.length > 0 && (
        <Notice tone="bad" title={t('hooks.state.failed')}>
          {failed.map((line) => (
            <Text key={line} size="sm">
              {line}
            </Text>
          ))}
        </Notice>
      )}
      <FactList facts={facts} />
      {req !== '' && (
        <div>
          <Text size="sm" fw={600}>
            {t('hooks.state.req')}
          </Text>
          <JsonText label={t('hooks.state.req')} text={req} />
        </div>
      )}
      {req !== '' && (
        <div>
          <Text size="sm" fw={600}>
            {t('hooks.state.res')}
          </Text>
          {res === '' ? (
            <Text size="sm">{t('hooks.state.noRes')}</Text>
          ) : (
            <JsonText label={t('hooks.state.res')} text={res} />
          )}
        </div>
      )}
    </Stack>
  );
}
