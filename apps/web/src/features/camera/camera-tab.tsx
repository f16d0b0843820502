import { Button, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  type CameraOutlet,
  type CameraRow,
  cameraApi,
  extraAudios,
  type Source,
  type SourceRef,
  streamUrlProblem,
} from '@weir/contract';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwnServer } from '../../components/outlets/destination/use-own-server.ts';
import { CameraArt } from '../../components/outlets/empty-art.tsx';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import { OutletList } from '../../components/outlets/outlet-list.tsx';
import { OutletPicture } from '../../components/outlets/outlet-picture.tsx';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import type { SourcePart } from '../../components/outlets/outlet-sheet.tsx';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { noCameraAddress, parseCameraUrl, toCameraUrl } from '../../components/sources/camera-address.ts';
import { useTracksText } from '../../components/sources/probe-text.ts';
import { toSourceRef } from '../../components/sources/source-form.ts';
import { SourceRefusal } from '../../components/sources/source-refusal.tsx';
import { sourcePictureQuery } from '../../components/sources/source-thumbnail.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { PictureFrame } from '../../components/streams/thumbnail.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { client } from '../../lib/api.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import classes from './camera-source.module.css';

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

interface CameraSourceProps {
  camera: Source | undefined;
  problem: string | undefined;
  /** Gives a tested camera to the slot; rejects with the reason if it cannot be read. */
  assign: (ref: SourceRef) => Promise<void>;
}

/** A camera by its URL or by its parts, tested before it is taken. */
function CameraSource({ camera, problem, assign }: CameraSourceProps) {
  const { t } = useTranslation();
  const [isChanging, setIsChanging] = useState(false);
  const test = useMutation({
    mutationFn: async (url: string) => {
      const prepared = await client.call(cameraApi.streamUrl, { url });
      await assign(toSourceRef(prepared, 'stream', url));
    },
    onSuccess: () => setIsChanging(false),
    meta: { handles: () => true },
  });
  if (camera && !isChanging) return <FoundCamera camera={camera} onChange={() => setIsChanging(true)} />;
  return (
    <fieldset className={classes.fields} aria-label={t('camera.label')}>
      <AddressForm isBusy={test.isPending} onTest={(url) => test.mutate(url)} onEdit={() => test.reset()} />
      {test.isPending && (
        <Text size="sm" role="status">
          {t('source.looking')}
        </Text>
      )}
      {test.isError && <SourceRefusal error={test.error} />}
      {camera && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          w="fit-content"
          onClick={() => {
            test.reset();
            setIsChanging(false);
          }}
        >
          {t('source.keep')}
        </Button>
      )}
      {problem && !test.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </fieldset>
  );
}

/** Picture and tracks of the camera that was found. */
function FoundCamera({ camera, onChange }: { camera: Source; onChange: () => void }) {
  const { t } = useTranslation();
  const tracksText = useTracksText();
  const { data, isFetching } = useQuery({ ...sourcePictureQuery(camera.uuid), enabled: camera.video !== null });
  return (
    <fieldset className={classes.found} aria-label={t('camera.label')}>
      <div className={classes.picture} aria-busy={isFetching || undefined}>
        <PictureFrame
          picture={data instanceof Blob ? data : undefined}
          isLive
          alt={data instanceof Blob ? t('camera.picture') : ''}
        />
      </div>
      <div className={classes.facts}>
        <StatusLabel tone="ok" word={t('camera.found')} />
        <Text size="sm">{tracksText(camera)}</Text>
        <Button variant="default" size="xs" w="fit-content" onClick={onChange}>
          {t('camera.change')}
        </Button>
      </div>
    </fieldset>
  );
}

type Way = 'url' | 'parts';

interface AddressFormProps {
  isBusy: boolean;
  onTest: (url: string) => void;
  onEdit: () => void;
}

/** No form of its own, because it is inside one. */
function AddressForm({ isBusy, onTest, onEdit }: AddressFormProps) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>('url');
  const [typed, setTyped] = useState('');
  const [parts, setParts] = useState(noCameraAddress);
  const [isChecked, setIsChecked] = useState(false);
  const url = way === 'url' ? typed.trim() : parts.host.trim() === '' ? '' : toCameraUrl(parts);
  const problem = streamUrlProblem(url);
  const problems = {
    missing: way === 'url' ? t('plat.tool.stream3') : t('camera.hostMissing'),
    scheme: t('plat.tool.stream2'),
    suffix: t('plat.tool.stream4'),
    invalid: t('source.urlInvalid'),
  };
  const error = isChecked && problem ? problems[problem] : undefined;
  const test = () => {
    setIsChecked(true);
    if (!problem && !isBusy) onTest(url);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Prevents saving the surrounding form.
    event.preventDefault();
    test();
  };
  const edit = (change: Partial<typeof parts>) => {
    onEdit();
    // A whole URL in the field of the host is taken apart.
    const whole = change.host === undefined ? undefined : parseCameraUrl(change.host);
    setParts({ ...parts, ...change, ...whole });
  };
  const text = { spellCheck: false, autoCapitalize: 'none', autoComplete: 'off', onKeyDown } as const;
  return (
    <>
      <SegmentedControl
        aria-label={t('camera.ways')}
        data={[
          { value: 'url', label: t('camera.byUrl') },
          { value: 'parts', label: t('camera.byParts') },
        ]}
        value={way}
        onChange={(chosen) => {
          const known = chosen === 'parts' ? parseCameraUrl(typed) : undefined;
          if (known) setParts(known);
          if (chosen === 'url' && parts.host !== '') setTyped(toCameraUrl(parts));
          setIsChecked(false);
          setWay(chosen as Way);
        }}
      />
      {way === 'url' ? (
        <TextInput
          {...text}
          label={t('source.streamUrl')}
          description={t('camera.help')}
          placeholder="rtsp://user:password@192.168.1.20:554/stream1"
          value={typed}
          error={error}
          onChange={(event) => {
            onEdit();
            setTyped(event.currentTarget.value);
          }}
        />
      ) : (
        <>
          <div className={classes.pair}>
            <TextInput
              {...text}
              label={t('camera.host')}
              placeholder="192.168.1.20:554"
              value={parts.host}
              error={error}
              onChange={(event) => edit({ host: event.currentTarget.value })}
            />
            <TextInput
              {...text}
              label={t('camera.path')}
              placeholder="stream1"
              value={parts.path}
              onChange={(event) => edit({ path: event.currentTarget.value })}
            />
          </div>
          <TextInput
            {...text}
            label={t('camera.user')}
            value={parts.user}
            onChange={(event) => edit({ user: event.currentTarget.value })}
          />
          <SecretField
            size="sm"
            label={t('camera.password')}
            description={t('camera.passwordHelp')}
            value={parts.password}
            onChange={(password) => edit({ password })}
          />
        </>
      )}
      <Button variant="light" w="fit-content" loading={isBusy} onClick={test}>
        {t('camera.test')}
      </Button>
    </>
  );
}
