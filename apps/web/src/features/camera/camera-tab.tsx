import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type CameraOutlet,
  type CameraRow,
  cameraApi,
  type ExtraAudio,
  extraAudios,
  type SourceRef,
} from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDestinationName } from '../../components/outlets/destination/destination-name.ts';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import type { SourcePart } from '../../components/outlets/outlet-panel.tsx';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import { OutletTab } from '../../components/outlets/outlet-tab.tsx';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { useProbeText } from '../../components/sources/probe-text.ts';
import { SourceList } from '../../components/sources/source-list.tsx';
import { SourceRefusal } from '../../components/sources/source-refusal.tsx';
import { StreamForm } from '../../components/sources/stream-form.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { useOwnServer } from '../../components/streams/use-own-server.ts';
import { client } from '../../lib/api.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';

const cameraQueries = outletQueries('camera', {
  slots: (signal) => client.call(cameraApi.secret, {}, { signal }),
  rows: (signal) => client.call(cameraApi.streams, {}, { signal }),
});

const sendCamera: SendOutlet<CameraOutlet> = {
  feature: 'camera',
  update: (slot) => client.call(cameraApi.secret, { ...slot, action: 'update' }),
  remove: (platform) => client.call(cameraApi.secret, { action: 'remove', platform }),
};

const steps = ['find', 'enter', 'start'] as const;

export function CameraTab() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const slots = useQuery(cameraQueries.slots);
  const rows = useQuery(cameraQueries.rows);
  const own = useOwnServer();
  const placeOf = useDestinationName(own);
  const source: SourcePart<CameraOutlet> = {
    render: (form) => (
      <>
        <CameraSource {...form} />
        <ExtraAudioField value={form.slot.extraAudio} onChange={(extraAudio) => form.edit({ extraAudio })} />
      </>
    ),
    problem: ({ files }) => (files.length === 0 ? t('camera.source') : undefined),
  };
  return (
    <OutletTab
      slots={slots}
      rows={rows}
      limit={environment?.cameraLimit ?? 0}
      send={sendCamera}
      blank={{ files: [], extraAudio: '' }}
      source={source}
      own={own}
      summary={(slot) =>
        t('camera.summary', { camera: slot.files[0]?.name ?? t('camera.nothing'), server: placeOf(slot) })
      }
      sourceOf={(row) => <Camera row={row} />}
      preview={(stream) => <StreamPlayer stream={stream} />}
      texts={{
        intro: {
          title: t('camera.intro.title'),
          content: (
            <OutletIntroduction
              summary={t('camera.intro.summary')}
              steps={steps.map((step) => t(`camera.intro.${step}`))}
              note={t('camera.intro.note')}
            />
          ),
        },
        slot: (number) => t('camera.slot', { number }),
        waiting: t('camera.waiting'),
        statusHelp: t('camera.statusHelp'),
        emptyTitle: t('camera.empty'),
        emptyText: t('camera.emptyText'),
      }}
    />
  );
}

function Camera({ row: { files, extraAudio } }: { row: CameraRow }) {
  const { t } = useTranslation();
  const probeLine = useProbeText();
  const [camera] = files;
  if (!camera) return null;
  return (
    <>
      {camera.name}
      <Text size="xs" c="dimmed">
        {probeLine(camera)}
      </Text>
      <Text size="xs" c="dimmed">
        {t('camera.extra')}: {extraAudio === 'silent' ? t('camera.silent') : t('camera.none')}
      </Text>
    </>
  );
}

/** Replaces the camera's audio with silence. */
function ExtraAudioField({ value, onChange }: { value: ExtraAudio; onChange: (value: ExtraAudio) => void }) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="md"
      label={t('camera.extraAudio')}
      description={t('camera.extraAudioHelp')}
      data={extraAudios.map((one) => ({ value: one, label: one === 'silent' ? t('camera.silent') : t('camera.none') }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value === 'silent' ? 'silent' : '')}
    />
  );
}

interface CameraSourceProps {
  slot: CameraOutlet;
  edit: (change: Partial<CameraOutlet>) => void;
  problem: string | undefined;
}

function CameraSource({ slot, edit, problem }: CameraSourceProps) {
  const { t } = useTranslation();
  const [isChanging, setIsChanging] = useState(false);
  const assign = useAssignCamera(slot, edit, () => setIsChanging(false));
  const isChosen = slot.files.length > 0;
  return (
    <Stack gap="sm" role="group" aria-label={t('camera.label')}>
      {isChosen && !isChanging ? (
        <>
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {t('camera.label')}
            </Text>
            <SourceList files={slot.files.slice(0, 1)} onChange={(files) => edit({ files })} />
          </Stack>
          <Button variant="default" size="xs" w="fit-content" onClick={() => setIsChanging(true)}>
            {t('camera.change')}
          </Button>
        </>
      ) : (
        <>
          <StreamForm
            isBusy={assign.isPending}
            onPick={assign.mutateAsync}
            prepare={(url) => client.call(cameraApi.streamUrl, { url })}
            help={t('camera.help')}
            example="rtsp://user:password@192.168.1.20:554/stream1"
          />
          {assign.isPending && (
            <Text size="sm" role="status">
              {t('source.looking')}
            </Text>
          )}
          {assign.isError && <SourceRefusal error={assign.error} />}
          {isChosen && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              w="fit-content"
              onClick={() => {
                assign.reset();
                setIsChanging(false);
              }}
            >
              {t('source.keep')}
            </Button>
          )}
        </>
      )}
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}

/** Assigns a camera to the slot after the server has probed its stream. */
function useAssignCamera(slot: CameraOutlet, edit: CameraSourceProps['edit'], onTaken: () => void) {
  const queries = useQueryClient();
  const { platform, server, secret, label, custom, extraAudio } = slot;
  return useMutation({
    mutationFn: (ref: SourceRef) => client.call(cameraApi.source, { platform, files: [ref] }),
    onSuccess: async ({ files }) => {
      // The server now has a slot with only this camera. Keep the unsaved fields.
      edit({ files, server, secret, label, custom, extraAudio });
      onTaken();
      await queries.invalidateQueries({ queryKey: cameraQueries.key });
    },
    meta: { handles: () => true },
  });
}
