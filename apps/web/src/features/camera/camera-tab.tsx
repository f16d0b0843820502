import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CameraOutlet, type CameraRow, cameraApi, extraAudios } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useOwnServer } from '../../components/outlets/destination/use-own-server.ts';
import { CameraArt } from '../../components/outlets/empty-art.tsx';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import { OutletList } from '../../components/outlets/outlet-list.tsx';
import { OutletPicture } from '../../components/outlets/outlet-picture.tsx';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import type { SourcePart } from '../../components/outlets/outlet-sheet.tsx';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { useTracksText } from '../../components/sources/probe-text.ts';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { client } from '../../lib/api.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { CameraSource } from './camera-source.tsx';

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

/** Cameras that this server pulls, as streams of its own or sent to platforms. */
export function CameraTab() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const slots = useQuery(cameraQueries.slots);
  const rows = useQuery(cameraQueries.rows);
  const own = useOwnServer();
  const source: SourcePart<CameraOutlet> = {
    render: ({ slot, edit, problem, holder, onHeld }) => (
      <>
        <CameraSource
          camera={slot.files[0]}
          problem={problem}
          assign={async (ref) => {
            const { files } = await client.call(cameraApi.source, { platform: holder, files: [ref] });
            onHeld();
            edit({ files });
          }}
        />
        <NativeSelect
          label={t('camera.extraAudio')}
          description={t('camera.extraAudioHelp')}
          data={extraAudios.map((one) => ({
            value: one,
            label: one === 'silent' ? t('camera.silent') : t('camera.none'),
          }))}
          value={slot.extraAudio}
          onChange={(event) => edit({ extraAudio: event.currentTarget.value === 'silent' ? 'silent' : '' })}
        />
      </>
    ),
    problem: ({ files }) => (files.length === 0 ? t('camera.source') : undefined),
  };
  return (
    <OutletList
      slots={slots}
      rows={rows}
      limit={environment && own && environment.cameraLimit}
      send={sendCamera}
      blank={{ files: [], extraAudio: '' }}
      source={source}
      own={own}
      from={(slot) => hostOf(slot) ?? t('camera.nothing')}
      picture={(slot, row) => <OutletPicture slot={slot} row={row} own={own} source={slot.files[0]} />}
      facts={(slot, row) => <CameraFacts slot={slot} row={row} />}
      preview={(stream) => <StreamPlayer stream={stream} />}
      texts={{
        title: t('camera.tab'),
        purpose: t('nav.purpose.camera'),
        add: t('camera.add'),
        edit: t('camera.edit'),
        head: t('camera.label'),
        help: (
          <OutletIntroduction
            summary={t('camera.intro.summary')}
            steps={steps.map((step) => t(`camera.intro.${step}`))}
            note={t('camera.intro.note')}
          />
        ),
        empty: { art: <CameraArt />, text: t('camera.emptyText') },
        sourceStep: { title: t('camera.label'), hint: t('camera.sourceHint') },
        waiting: t('camera.waiting'),
        slot: (number) => t('camera.slot', { number }),
      }}
    />
  );
}

/** Host of the camera, never its login or path. */
function hostOf({ files: [camera] }: CameraOutlet): string | undefined {
  return camera && (/^[a-z]+:\/\/(?:.*@)?([^/?#@]+)/i.exec(camera.target)?.[1] ?? camera.name);
}

function CameraFacts({ slot, row }: { slot: CameraOutlet; row: CameraRow | undefined }) {
  const { t } = useTranslation();
  const tracksText = useTracksText();
  const [camera] = slot.files;
  const extraAudio = row?.extraAudio ?? slot.extraAudio;
  return (
    camera && (
      <Text size="sm">
        {tracksText(camera)}
        <br />
        <Text span size="sm" c="dimmed">
          {t('camera.extraAudio')}: {extraAudio === 'silent' ? t('camera.silent') : t('camera.none')}
        </Text>
      </Text>
    )
  );
}
