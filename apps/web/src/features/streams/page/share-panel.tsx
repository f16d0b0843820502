import { SegmentedControl, Stack } from '@mantine/core';
import { streamLabel, type WirePlace } from '@weir/dialect';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlayText, PlayWays } from '../../../components/guide/guide-players.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { type EmbedSize, embedCode, embedSizes } from './embed-code.ts';
import classes from './stream-page.module.css';

/** Addresses to give away, each with a QR code, and the player for a web site. None of them has a secret in it. */
export function SharePanel({ place, guide }: { place: WirePlace; guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Section anchor="share" title={t('streamPage.share.title')} help={t('streamPage.share.help')}>
      <div className={classes.share}>
        <Stack gap="md">
          <p className={classes.text}>
            <PlayText />
          </p>
          <PlayWays guide={guide} />
        </Stack>
        <Embed place={place} guide={guide} />
      </div>
    </Section>
  );
}

function Embed({ place, guide }: { place: WirePlace; guide: Guide }) {
  const { t } = useTranslation();
  const [size, setSize] = useState<EmbedSize>('fluid');
  const player = new URL(guide.values.hlsSkinPlayer, window.location.href).href;
  return (
    <Stack gap="sm">
      <h3 className={classes.subtitle}>{t('streamPage.share.embed')}</h3>
      <SegmentedControl
        size="xs"
        className={classes.sizes}
        aria-label={t('streamPage.share.size')}
        value={size}
        onChange={(value) => setSize(embedSizes.find((one) => one === value) ?? 'fluid')}
        data={embedSizes.map((value) => ({
          value,
          label: value === 'fluid' ? t('streamPage.share.fluid') : value,
        }))}
      />
      <CopyField
        label={t('streamPage.share.code')}
        value={embedCode({ player, title: streamLabel(place), size })}
        help={t('streamPage.share.codeHelp')}
        isLong
      />
    </Stack>
  );
}
