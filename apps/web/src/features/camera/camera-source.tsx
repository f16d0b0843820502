import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CameraOutlet, cameraApi, type SourceRef } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SourceList } from '../../components/sources/source-list.tsx';
import { SourceRefusal } from '../../components/sources/source-refusal.tsx';
import { StreamForm } from '../../components/sources/stream-form.tsx';
import { client } from '../../lib/api.ts';
import { cameraQueries } from './camera-queries.ts';

interface CameraSourceProps {
  slot: CameraOutlet;
  edit: (change: Partial<CameraOutlet>) => void;
  problem: string | undefined;
}

/** The camera of a slot: what was found at its address, or the address to enter. */
export function CameraSource({ slot, edit, problem }: CameraSourceProps) {
  const { t } = useTranslation();
  const [isChanging, setIsChanging] = useState(false);
  const take = useTake(slot, edit, () => setIsChanging(false));
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
            isBusy={take.isPending}
            take={take.mutateAsync}
            prepare={(url) => client.call(cameraApi.streamUrl, { url })}
            help={t('camera.help')}
            example="rtsp://user:password@192.168.1.20:554/stream1"
          />
          {take.isPending && (
            <Text size="sm" role="status">
              {t('source.looking')}
            </Text>
          )}
          {take.isError && <SourceRefusal error={take.error} />}
          {isChosen && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              w="fit-content"
              onClick={() => {
                take.reset();
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

/** Gives a camera to the slot; the server looks into its stream first. */
function useTake(slot: CameraOutlet, edit: CameraSourceProps['edit'], onTaken: () => void) {
  const queries = useQueryClient();
  const { platform, server, secret, label, custom, extraAudio } = slot;
  return useMutation({
    mutationFn: (ref: SourceRef) => client.call(cameraApi.source, { platform, files: [ref] }),
    onSuccess: async ({ files }) => {
      // The slot exists on the server now, with nothing but its camera; what is typed and not saved yet stays as it is.
      edit({ files, server, secret, label, custom, extraAudio });
      onTaken();
      await queries.invalidateQueries({ queryKey: cameraQueries.key });
    },
    meta: { handles: () => true },
  });
}
