import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { streamAddresses } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { guideValues } from '../../components/guide/guide-values.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { exampleStream } from './stream-key-draft.ts';
import type { ShownKey } from './stream-keys-panel.tsx';

/** The value of a key in every form that publishers need. Nothing shows it again. */
export function StreamKeyValue({ shown, onClose }: { shown: ShownKey; onClose: () => void }) {
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
