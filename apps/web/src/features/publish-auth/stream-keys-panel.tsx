import { Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type StreamKeyRow, streamKeyLimits, streamKeyProtocols, streamKeysApi } from '@weir/contract';
import { streamAddresses } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { guideValues } from '../../components/guide/guide-values.ts';
import { RowList } from '../../components/ui/facts/row-list.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { FormSheet } from '../../components/ui/fields/form-sheet.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { blankDraft, exampleStream, findProblems, toDraft, toFields } from './stream-key-draft.ts';
import { StreamKeyItem } from './stream-key-item.tsx';
import classes from './stream-keys.module.css';
import { streamKeysQuery } from './stream-keys-query.ts';

/** A key and its value, which is known while this page is open only. */
export interface ShownKey {
  readonly key: StreamKeyRow;
  readonly secret: string;
}

export function StreamKeysPanel() {
  const { t } = useTranslation();
  const query = useQuery(streamKeysQuery);
  const [edited, setEdited] = useState<StreamKeyRow | 'new'>();
  // Each opening begins with its own fields.
  const [turn, setTurn] = useState(0);
  const [shown, setShown] = useState<ShownKey>();
  const open = (key: StreamKeyRow | 'new') => {
    setEdited(key);
    setTurn(turn + 1);
  };
  const keys = query.data?.keys;
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      variant={keys?.length === 0 ? 'default' : 'filled'}
      onClick={() => open('new')}
    >
      {t('settings.keys.add')}
    </Button>
  );
  return (
    <Section
      title={t('settings.keys.title')}
      help={t('settings.keys.help')}
      anchor="stream-keys"
      state={query.failureCount > 0 ? <StaleChip {...query} /> : keys && keys.length > 0 && add}
    >
      {!keys && <PageSkeleton />}
      {keys?.length === 0 && (
        <EmptyState title={t('settings.keys.none')} text={t('settings.keys.noneText')}>
          <div className={classes.first}>{add}</div>
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <RowList label={t('settings.keys.title')}>
          {keys.map((key) => (
            <StreamKeyItem key={key.uuid} streamKey={key} onEdit={() => open(key)} onValue={setShown} />
          ))}
        </RowList>
      )}
      <StreamKeySheet
        key={turn}
        streamKey={edited === 'new' ? undefined : edited}
        opened={edited !== undefined}
        onMade={setShown}
        onClose={() => setEdited(undefined)}
      />
      {shown && <StreamKeyValue shown={shown} onClose={() => setShown(undefined)} />}
    </Section>
  );
}

/** The value of a key in every form that publishers need. Nothing shows it again. */
function StreamKeyValue({ shown, onClose }: { shown: ShownKey; onClose: () => void }) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 600px)') ?? false;
  const { key, secret } = shown;
  const [stream, setStream] = useState(() => exampleStream(key.streams));
  const { data: environment } = useQuery(environmentQuery);
  const addresses =
    environment && streamAddresses({ path: stream, secret: { publish: secret }, page: window.location, environment });
  const allows = (protocol: 'rtmp' | 'srt' | 'rtc') => key.protocols.length === 0 || key.protocols.includes(protocol);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('settings.keys.valueTitle', { name: key.name })}
      size={640}
      fullScreen={isPhone}
      // A click beside it must not lose the value.
      closeOnClickOutside={false}
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': t('helper.close') }}
    >
      <Stack gap="md">
        <Notice tone="warn" title={t('settings.keys.onceTitle')}>
          <p>{t('settings.keys.onceText')}</p>
        </Notice>
        <CopyField label={t('settings.keys.value')} value={secret} isSecret qrValue={secret} />
        <TextInput
          label={t('settings.keys.forStream')}
          description={t('settings.keys.forStreamHelp')}
          autoComplete="off"
          spellCheck={false}
          value={stream}
          onChange={(event) => setStream(event.currentTarget.value)}
        />
        {addresses && (
          <>
            {allows('rtmp') && (
              <>
                <CopyField label={t('settings.keys.rtmpServer')} value={addresses.rtmpServer} />
                <CopyField
                  label={t('settings.keys.rtmpKey')}
                  value={addresses.rtmpStreamKey}
                  secret={secret}
                  qrValue={addresses.rtmpServer + addresses.rtmpStreamKey}
                />
                <CopyField
                  label={t('settings.keys.ffmpeg')}
                  value={guideValues(addresses).ffmpegRtmp}
                  secret={secret}
                  isLong
                />
              </>
            )}
            {allows('srt') && (
              <CopyField
                label={t('settings.keys.srt')}
                value={addresses.srtPublishUrl}
                secret={secret}
                qrValue={addresses.srtPublishUrl}
              />
            )}
            {allows('rtc') && (
              <CopyField
                label={t('settings.keys.whip')}
                value={addresses.whipUrl}
                secret={secret}
                qrValue={addresses.whipUrl}
              />
            )}
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('settings.keys.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface StreamKeySheetProps {
  /** Undefined adds one. */
  streamKey: StreamKeyRow | undefined;
  opened: boolean;
  onMade: (shown: ShownKey) => void;
  onClose: () => void;
}

function StreamKeySheet({ streamKey, opened, onMade, onClose }: StreamKeySheetProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { draft, edit, problems, check } = useDraft({
    initial: () => (streamKey ? toDraft(streamKey) : blankDraft),
    problemsOf: findProblems,
  });
  const save = useMutation({
    mutationFn: async () => {
      if (streamKey) await client.call(streamKeysApi.update, { uuid: streamKey.uuid, ...toFields(draft) });
      else onMade(await client.call(streamKeysApi.create, { ...toFields(draft), secret: draft.secret }));
    },
    onSuccess: () => {
      if (streamKey) notify.success(t('settings.keys.saved'));
      onClose();
      return queries.invalidateQueries({ queryKey: streamKeysQuery.queryKey });
    },
  });
  return (
    <FormSheet
      opened={opened}
      title={streamKey ? t('settings.keys.editTitle', { name: streamKey.name }) : t('settings.keys.addTitle')}
      {...(!streamKey && { action: t('settings.keys.create') })}
      isBusy={save.isPending}
      onSubmit={() => check() && !save.isPending && save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('settings.keys.name')}
        description={t('settings.keys.nameHelp')}
        maxLength={streamKeyLimits.nameCharacters}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
        error={problems.has('name') && t('settings.keys.nameMissing')}
      />
      <Textarea
        label={t('settings.keys.streams')}
        description={t('settings.keys.streamsHelp')}
        placeholder="live/stage-b"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        value={draft.streams}
        onChange={(event) => edit({ streams: event.currentTarget.value })}
        error={
          (problems.has('streams') && t('settings.keys.streamsMissing')) ||
          (problems.has('pattern') && t('settings.keys.streamsInvalid'))
        }
      />
      <Checkbox.Group
        label={t('settings.keys.protocols')}
        description={t('settings.keys.protocolsHelp')}
        value={[...draft.protocols]}
        onChange={(chosen) => edit({ protocols: streamKeyProtocols.filter((one) => chosen.includes(one)) })}
      >
        <Group mt="xs">
          <Checkbox value="rtmp" label="RTMP" />
          <Checkbox value="srt" label="SRT" />
          <Checkbox value="rtc" label="WebRTC (WHIP)" />
        </Group>
      </Checkbox.Group>
      <TextInput
        type="datetime-local"
        label={t('settings.keys.expires')}
        description={t('settings.keys.expiresHelp')}
        value={draft.expires}
        onChange={(event) => edit({ expires: event.currentTarget.value })}
      />
      <TextInput
        label={t('settings.keys.publishers')}
        description={t('settings.keys.publishersHelp')}
        placeholder={t('settings.keys.anyNumber')}
        inputMode="numeric"
        autoComplete="off"
        value={draft.publishers}
        onChange={(event) => edit({ publishers: event.currentTarget.value })}
        error={problems.has('publishers') && t('helper.wholeNumber', { least: 0, most: streamKeyLimits.publishers })}
      />
      {!streamKey && (
        <SecretField
          size="sm"
          label={t('settings.keys.value')}
          description={t('settings.keys.valueHelp')}
          value={draft.secret}
          onChange={(secret) => edit({ secret: secret.trim() })}
          error={problems.has('secret') ? t('settings.secretInvalid') : undefined}
        />
      )}
    </FormSheet>
  );
}
