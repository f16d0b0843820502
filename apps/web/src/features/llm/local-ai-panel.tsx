import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { aiApi, type LocalAi, type LocalAiSet } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { VoiceList } from '../../components/ai/voice-list.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { localAiQuery } from './llm-queries.ts';

const tones: Record<LocalAi['state'], Tone> = {
  missing: 'off',
  installing: 'busy',
  installed: 'ok',
  unsupported: 'off',
};

export function LocalAiPanel() {
  const { t } = useTranslation();
  const local = useQuery(localAiQuery);
  const state = local.data?.state;
  const label =
    local.failureCount > 0 || !state ? (
      <StaleChip {...local} />
    ) : (
      <StatusLabel tone={tones[state]} word={t(`llm.local.${state}`)} tinted />
    );
  return (
    <Section anchor="local-ai" title={t('llm.local.title')} help={t('llm.local.help')} state={label}>
      <List size="sm">
        <List.Item>{t('llm.local.can.speech')}</List.Item>
        <List.Item>{t('llm.local.can.ocr')}</List.Item>
        <List.Item>{t('llm.local.can.voice')}</List.Item>
      </List>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {t('llm.local.cannot')}
      </Text>
      {local.data && <LocalAiBody local={local.data} />}
    </Section>
  );
}

function LocalAiBody({ local }: { local: LocalAi }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { state, fault, progress, process, models } = local;
  const size = (bytes: number) => formatBytes(bytes, locale);
  const disk = { term: t('llm.local.disk'), value: size(state === 'installed' ? local.bytes : local.totalBytes) };
  const voices = models.filter(({ kind }) => kind === 'voice');
  const offered = models.flatMap(({ kind, name }) => (kind === 'voice' ? [] : [name])).join(' · ');
  if (state === 'unsupported') return <Notice tone="info" title={t('llm.local.unsupportedText')} />;
  return (
    <>
      {fault && (
        <Notice tone="bad" title={t('llm.local.fault.title')}>
          <p role="alert">{t(`llm.local.fault.${fault}`)}</p>
        </Notice>
      )}
      {state === 'installing' && <LocalProgress progress={progress} />}
      {state === 'missing' && (
        <>
          <FactList facts={[{ term: t('llm.local.download'), value: size(local.downloadBytes) }, disk]} />
          <Text size="sm" c="dimmed" mt="sm">
            {t('llm.local.licence')}
          </Text>
        </>
      )}
      {state === 'installed' && (
        <FactList
          facts={[
            disk,
            { term: t('llm.local.folder'), value: local.modelsDir },
            { term: t('llm.local.process'), value: t(`llm.local.phase.${process.phase}`) },
            { term: t('llm.local.offers'), value: offered || t('llm.local.offersUnknown') },
          ]}
        />
      )}
      {state === 'installed' && voices.length > 0 && (
        <Stack gap="xs" mt="md">
          <Text fw={500}>{t('llm.voices.title')}</Text>
          <VoiceList voices={voices} />
        </Stack>
      )}
      <LocalAiActions local={local} />
      {state === 'installed' && <MoreModels local={local} />}
    </>
  );
}

function LocalAiActions({ local: { state, bytes } }: { local: LocalAi }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ['ai'] });
  const install = useMutation({ mutationFn: () => client.call(aiApi.installLocal, {}), onSuccess: refresh });
  const cancel = useMutation({ mutationFn: () => client.call(aiApi.cancelInstall, {}), onSuccess: refresh });
  const remove = useMutation({
    mutationFn: () => client.call(aiApi.removeLocal, {}),
    onSuccess: async () => {
      await refresh();
      setIsAsking(false);
      notify.success(t('llm.local.removed'));
    },
  });
  return (
    <Group mt="md">
      {state === 'missing' && (
        <Button loading={install.isPending} onClick={() => install.mutate()}>
          {t(bytes > 0 ? 'llm.local.resume' : 'llm.local.install')}
        </Button>
      )}
      {state === 'installing' && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('llm.local.cancel')}
        </Button>
      )}
      {state === 'installed' && (
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t('llm.local.remove')}
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={t('llm.local.removeTitle')}
        text={t('llm.local.removeText', { size: formatBytes(bytes, locale) })}
        action={t('llm.local.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </Group>
  );
}

/** Sets of models beside those that built-in AI always has. */
function MoreModels({ local: { sets, set: current, progress } }: { local: LocalAi }) {
  const { t } = useTranslation();
  const further = sets.flatMap(({ set, ...each }) =>
    set === 'basic' || each.state === 'unsupported' ? [] : [{ ...each, set }],
  );
  if (further.length === 0) return null;
  return (
    <Stack gap="md" mt="lg">
      <Text fw={500}>{t('llm.local.models.title')}</Text>
      {further.map((each) => (
        <ModelRow key={each.set} model={each} isBusy={progress !== null}>
          {progress !== null && current === each.set && <LocalProgress progress={progress} />}
        </ModelRow>
      ))}
    </Stack>
  );
}

interface ModelRowProps {
  readonly model: Omit<LocalAi['sets'][number], 'set'> & { readonly set: Exclude<LocalAiSet, 'basic'> };
  /** True while any set is being installed. */
  readonly isBusy: boolean;
  /** Progress of its own installation. */
  readonly children: ReactNode;
}

function ModelRow({ model: { set, state, totalBytes, downloadBytes }, isBusy, children }: ModelRowProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ['ai'] });
  const install = useMutation({ mutationFn: () => client.call(aiApi.installLocal, { set }), onSuccess: refresh });
  const cancel = useMutation({ mutationFn: () => client.call(aiApi.cancelInstall, {}), onSuccess: refresh });
  const name = t(`llm.local.models.${set}.name`);
  const remove = useMutation({
    mutationFn: () => client.call(aiApi.removeLocal, { set }),
    onSuccess: async () => {
      await refresh();
      setIsAsking(false);
      notify.success(t('llm.local.models.removed', { name }));
    },
  });
  const isInstalled = state === 'installed';
  const size = formatBytes(isInstalled ? totalBytes : downloadBytes, locale);
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={2} flex="1 1 16rem">
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {t(`llm.local.models.${set}.for`)}
          </Text>
          <Text size="sm" c="dimmed">
            {t(isInstalled ? 'llm.local.models.disk' : 'llm.local.models.size', { size })} ·{' '}
            {t(`llm.local.models.${set}.licence`)}
          </Text>
        </Stack>
        {children ? (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('llm.local.cancel')}
          </Button>
        ) : (
          <Button
            variant="default"
            disabled={isBusy}
            loading={install.isPending}
            aria-label={t(isInstalled ? 'llm.local.models.removeNamed' : 'llm.local.models.installNamed', { name })}
            onClick={() => (isInstalled ? setIsAsking(true) : install.mutate())}
          >
            {t(isInstalled ? 'llm.local.models.remove' : 'llm.local.models.install')}
          </Button>
        )}
      </Group>
      {children}
      <ConfirmDialog
        opened={isAsking}
        title={t('llm.local.models.removeTitle', { name })}
        text={t('llm.local.models.removeText', { size })}
        action={t('llm.local.models.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </Stack>
  );
}

function LocalProgress({ progress }: { progress: LocalAi['progress'] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { file = '', step = 'fetch', doneBytes = 0, totalBytes = 0 } = progress ?? {};
  const percent = totalBytes > 0 ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : 0;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {file === '' ? t('llm.local.installing') : t(`llm.local.progress.${step}`, { file })}
      </Text>
      <Progress value={percent} animated={step === 'unpack'} aria-label={t('llm.local.installing')} />
      <Text size="sm" c="dimmed">
        {t('llm.local.downloaded', {
          percent,
          done: formatBytes(doneBytes, locale),
          all: formatBytes(totalBytes, locale),
        })}
      </Text>
    </Stack>
  );
}
