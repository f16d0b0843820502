import { Button, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { cameraApi, type Source, type SourceRef, streamUrlProblem } from '@weir/contract';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noCameraAddress, parseCameraUrl, toCameraUrl } from '../../components/sources/camera-address.ts';
import { useTracksText } from '../../components/sources/probe-text.ts';
import { toSourceRef } from '../../components/sources/source-form.ts';
import { SourceRefusal } from '../../components/sources/source-refusal.tsx';
import { sourcePictureQuery } from '../../components/sources/source-thumbnail.tsx';
import { PictureFrame } from '../../components/streams/thumbnail.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { client } from '../../lib/api.ts';
import classes from './camera-source.module.css';

interface CameraSourceProps {
  camera: Source | undefined;
  problem: string | undefined;
  /** Gives a tested camera to the slot; rejects with the reason if it cannot be read. */
  assign: (ref: SourceRef) => Promise<void>;
}

/** A camera by its URL or by its parts, tested before it is taken. */
export function CameraSource({ camera, problem, assign }: CameraSourceProps) {
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
