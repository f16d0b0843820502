import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FfplayFields, PublishUrlField } from '../../components/guide/ffmpeg-fields.tsx';
import { downloads, OutsideLink, PortStep, StartStep, Step, Steps } from '../../components/guide/guide-steps.tsx';
import { ObsDownloadStep, ObsSrtStep } from '../../components/guide/obs-steps.tsx';
import { ProtocolNotice } from '../../components/guide/protocol-notice.tsx';
import { RotateButton } from '../../components/guide/rotate-button.tsx';
import type { Guide } from '../../components/guide/use-guide.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { IconExternalLink } from '../../components/ui/theme/icons.ts';

export function ObsRtmpGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports } = guide;
  return (
    <Steps>
      <PortStep port={`TCP/${ports.rtmp}`} />
      <ObsDownloadStep />
      <Step title={t('live.obs.config')} text={t('live.obs.configText')}>
        <FactList facts={[{ term: t('live.obs.service'), value: t('live.obs.custom') }]} />
        <CopyField label={t('live.obs.server')} value={addresses.rtmpServer} />
        <CopyField
          label={t('live.obs.key')}
          value={addresses.rtmpStreamKey}
          secret={secret}
          help={t('live.obs.keyHelp')}
          actions={<RotateButton />}
        />
      </Step>
      <Step title={t('live.obs.tracks')} text={t('live.obs.tracksText')}>
        <CopyField label={t('live.obs.tracksConfig')} value={obsTracks} isLong help={t('live.obs.tracksHelp')} />
      </Step>
      <StartStep text={t('live.obs.start')} />
    </Steps>
  );
}

export function FfmpegRtmpGuide({ guide }: { guide: Guide }) {
  const { values, secret, ports } = guide;
  return (
    <Steps>
      <PortStep port={`TCP/${ports.rtmp}`} />
      <FfmpegSteps file={values.ffmpegRtmp} test={values.ffmpegRtmpTest} url={values.rtmpPublishUrl} secret={secret} />
    </Steps>
  );
}

export function ObsSrtGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <SrtGuide guide={guide}>
      <ObsDownloadStep />
      <ObsSrtStep guide={guide} title={t('live.obs.config')} help={t('live.srt.configHelp')} />
      <StartStep text={t('live.obs.start')} />
    </SrtGuide>
  );
}

export function FfmpegSrtGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, values, secret } = guide;
  return (
    <SrtGuide guide={guide}>
      <FfmpegSteps
        needs={t('live.srt.ffmpegText')}
        file={values.ffmpegSrt}
        test={values.ffmpegSrtTest}
        url={addresses.srtPublishUrl}
        secret={secret}
      />
    </SrtGuide>
  );
}

/** Part that both SRT guides share: availability and playback with low delay. */
function SrtGuide({ guide, children }: { guide: Guide; children: React.ReactNode }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <ProtocolNotice title={t('live.srt.off')} offer={guide.srtOffer} port={`UDP/${guide.ports.srt}`} />
      <Steps>
        <PortStep port={`UDP/${guide.ports.srt}`} />
        {children}
        <SrtPlayStep guide={guide} />
      </Steps>
    </Stack>
  );
}

function SrtPlayStep({ guide: { addresses, values } }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Step title={t('live.srt.play')} text={`${t('live.srt.wait')} ${t('live.srt.otherPlayers')}`}>
      <CopyField label={t('live.srt.url')} value={addresses.srtPlayUrl} qrValue={addresses.srtPlayUrl} />
      <OutsideLink href={downloads.ffmpeg}>{t('live.srt.ffplay')}</OutsideLink>
      <FfplayFields values={values} />
    </Step>
  );
}

export function BrowserWhipGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, values, secret, ports, rtc, rtcOffer } = guide;
  return (
    <Stack gap="md">
      <ProtocolNotice title={t('live.rtc.off')} offer={rtcOffer} port={`UDP/${ports.rtc}`} />
      {rtc.obstacle && (
        <Notice tone="warn" title={rtc.obstacle === 'https' ? t('live.rtc.https') : t('live.rtc.nolo')}>
          <p>{rtc.obstacle === 'https' ? t('live.rtc.httpsText') : t('live.rtc.noloText')}</p>
          {rtc.obstacle === 'https' && <OutsideLink href={guide.httpsPublisher}>{t('live.rtc.openHttps')}</OutsideLink>}
        </Notice>
      )}
      <Steps>
        <PortStep port={`UDP/${ports.rtc}`} text={t('live.rtc.check', { port: `UDP/${ports.rtc}` })} />
        {rtc.canPublish && (
          <Step title={t('live.rtc.tip')} text={t('live.rtc.tipText')}>
            <div>
              <Button
                component="a"
                href={addresses.rtcPublisher}
                target="_blank"
                rel="noopener noreferrer"
                rightSection={<IconExternalLink size={16} aria-hidden />}
              >
                {t('live.rtc.open')}
              </Button>
            </div>
            <CopyField
              label={t('live.rtc.whip')}
              value={addresses.whipUrl}
              secret={secret}
              actions={<RotateButton />}
            />
            <Text size="sm">{t('live.rtc.onePublisher')}</Text>
            <CopyField
              label={t('live.rtc.wp')}
              value={values.publisherShortcode}
              secret={secret}
              help={t('live.rtc.sc')}
              actions={<RotateButton />}
            />
          </Step>
        )}
      </Steps>
    </Stack>
  );
}

/** OBS needs neither HTTPS nor a permission, so nothing blocks it. */
export function ObsWhipGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports, rtcOffer } = guide;
  return (
    <Stack gap="md">
      <ProtocolNotice title={t('live.rtc.off')} offer={rtcOffer} port={`UDP/${ports.rtc}`} />
      <Steps>
        <PortStep port={`UDP/${ports.rtc}`} text={t('live.rtc.check', { port: `UDP/${ports.rtc}` })} />
        <Step title={t('live.obsWhip.download')}>
          <OutsideLink href={downloads.obsReleases}>github.com/obsproject</OutsideLink>
        </Step>
        <Step title={t('live.obs.config')} text={t('live.obs.configText')}>
          <FactList
            facts={[
              { term: t('live.obs.service'), value: t('live.obs.whip') },
              { term: t('live.obs.bearer'), value: t('live.obs.nokey') },
            ]}
          />
          <CopyField
            label={t('live.obs.server')}
            value={addresses.whipUrl}
            secret={secret}
            actions={<RotateButton />}
          />
        </Step>
        <StartStep text={t('live.obs.start')} />
      </Steps>
    </Stack>
  );
}

/** Any app that publishes over RTMP or SRT: it takes the URL by its QR code. */
export function PhoneGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, values, secret, ports, srtOffer } = guide;
  const hasSrt = srtOffer.kind !== 'off';
  return (
    <Steps>
      <PortStep port={hasSrt ? `TCP/${ports.rtmp}, UDP/${ports.srt}` : `TCP/${ports.rtmp}`} />
      <Step title={t('live.phone.app')} text={t('live.phone.appText')} />
      <Step title={t('live.phone.scan')} text={t('live.phone.scanText')}>
        <CopyField
          label={t('live.phone.rtmp')}
          value={values.rtmpPublishUrl}
          secret={secret}
          qrValue={values.rtmpPublishUrl}
          actions={<RotateButton />}
        />
        {hasSrt && (
          <CopyField
            label={t('live.phone.srt')}
            value={addresses.srtPublishUrl}
            secret={secret}
            qrValue={addresses.srtPublishUrl}
            help={t('live.phone.srtHelp')}
          />
        )}
      </Step>
      <StartStep text={t('live.phone.start')} />
    </Steps>
  );
}

interface FfmpegStepsProps {
  /** Feature that the program must support. */
  needs?: string;
  file: string;
  test: string;
  url: string;
  secret: string;
}

function FfmpegSteps({ needs, file, test, url, secret }: FfmpegStepsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Step title={t('live.ffmpeg.download')} {...(needs !== undefined && { text: needs })}>
        <OutsideLink href={downloads.ffmpeg}>ffmpeg.org</OutsideLink>
      </Step>
      <Step title={t('live.ffmpeg.run')} text={t('live.ffmpeg.runText')}>
        <CopyField label={t('live.ffmpeg.cli')} value={file} secret={secret} isLong actions={<RotateButton />} />
        <CopyField label={t('live.ffmpeg.test')} value={test} secret={secret} isLong />
        <PublishUrlField url={url} secret={secret} />
      </Step>
    </>
  );
}

/** Sizes of one picture that suit most lines, the best first. */
const sizes = [
  { width: 1920, height: 1080, kbps: 6000 },
  { width: 1280, height: 720, kbps: 3000 },
  { width: 854, height: 480, kbps: 1200 },
] as const;

/** One keyframe interval and no B-frames, so that all sizes are cut at the same frames and browsers play them via WebRTC. */
const encoder = { rate_control: 'CBR', keyint_sec: 2, preset: 'veryfast', profile: 'high', bf: 0 } as const;

/** Multitrack configuration that OBS would download from a platform. The server and stream key are those of its settings. */
const obsTracks = JSON.stringify({
  meta: { service: 'custom', schema_version: '2024-06-04', config_id: 'weir' },
  ingest_endpoints: [],
  encoder_configurations: sizes.map(({ width, height, kbps }) => ({
    type: 'obs_x264',
    width,
    height,
    framerate: { numerator: 30, denominator: 1 },
    settings: { ...encoder, bitrate: kbps },
    canvas_index: 0,
  })),
  audio_configurations: {
    live: [{ codec: 'ffmpeg_aac', track_id: 1, channels: 2, settings: { bitrate: 160 } }],
    vod: [{ codec: 'ffmpeg_aac', track_id: 2, channels: 2, settings: { bitrate: 160 } }],
  },
});
