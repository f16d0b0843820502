import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CameraOutlet, CameraRow } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { usePlaceName } from '../../components/outlets/destination/server-name.ts';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import type { SourcePart } from '../../components/outlets/outlet-panel.tsx';
import { OutletTab } from '../../components/outlets/outlet-tab.tsx';
import { useProbeLine } from '../../components/sources/probe-line.ts';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { useOwnServer } from '../../components/streams/use-own-server.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { cameraQueries, sendCamera } from './camera-queries.ts';
import { CameraSource } from './camera-source.tsx';
import { ExtraAudioField } from './extra-audio-field.tsx';

const steps = ['find', 'enter', 'start'] as const;

/** Streams of cameras, sent to platforms or to this server. */
export function CameraTab() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const slots = useQuery(cameraQueries.slots);
  const rows = useQuery(cameraQueries.rows);
  const own = useOwnServer();
  const placeOf = usePlaceName(own);
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

/** What a row takes, what is in it, and what is added to it. */
function Camera({ row: { files, extraAudio } }: { row: CameraRow }) {
  const { t } = useTranslation();
  const probeLine = useProbeLine();
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
