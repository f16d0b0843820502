import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MoreStep, PlayStep } from '../../../components/guide/guide-players.tsx';
import { downloads, OutsideLink, PortStep, StartStep, Step, Steps } from '../../../components/guide/guide-steps.tsx';
import { OfferNotice } from '../../../components/guide/offer-notice.tsx';
import { RotateButton } from '../../../components/guide/rotate-button.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { IconExternalLink } from '../../../components/ui/theme/icons.ts';

export function BrowserWhipGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, values, secret, ports, rtc, rtcOffer } = guide;
  return (
    <Stack gap="md">
      <OfferNotice title={t('live.rtc.off')} offer={rtcOffer} port={`UDP/${ports.rtc}`} />
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
          </Step>
        )}
        <PlayStep guide={guide} />
        <MoreStep guide={guide}>
          {rtc.canPublish && (
            <CopyField
              label={t('live.rtc.wp')}
              value={values.publisherShortcode}
              secret={secret}
              help={t('live.rtc.sc')}
              actions={<RotateButton />}
            />
          )}
        </MoreStep>
      </Steps>
    </Stack>
  );
}

/** OBS is no browser: it needs neither https nor a permission, so nothing blocks it. */
export function ObsWhipGuide({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const { addresses, secret, ports, rtcOffer } = guide;
  return (
    <Stack gap="md">
      <OfferNotice title={t('live.rtc.off')} offer={rtcOffer} port={`UDP/${ports.rtc}`} />
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
        <PlayStep guide={guide} />
        <MoreStep guide={guide} />
      </Steps>
    </Stack>
  );
}
