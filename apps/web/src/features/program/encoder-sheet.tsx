import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Program, ProgramInput } from '@weir/contract';
import { streamAddresses, streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import classes from './program.module.css';
import { useInputName } from './use-program-words.ts';

const ways = ['rtmp', 'srt', 'whip'] as const;
type Way = (typeof ways)[number];

/** Addresses to paste into the encoders of a program. */
export function EncoderSheet({ program, onClose }: { program: Program; onClose: () => void }) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>('rtmp');
  const encoders = program.inputs.filter(({ kind }) => kind === 'publisher' || kind === 'backup');
  return (
    <SideSheet opened onClose={onClose} title={t('program.encoders.title', { name: streamLabel(program) })}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {encoders.length > 1 ? t('program.encoders.help') : t('program.encoders.helpOne')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('program.encoders.way')}
          value={way}
          onChange={(value) => setWay(ways.find((one) => one === value) ?? 'rtmp')}
          data={ways.map((value) => ({ value, label: t(`program.encoders.${value}`) }))}
        />
        {encoders.map((input) => (
          <Encoder key={input.id} program={program} input={input} way={way} />
        ))}
        {encoders.length === 0 && <Text size="sm">{t('program.encoders.none')}</Text>}
      </Stack>
    </SideSheet>
  );
}

function Encoder({ program, input, way }: { program: Program; input: ProgramInput; way: Way }) {
  const { t } = useTranslation();
  const nameOf = useInputName();
  const { data: environment } = useQuery(environmentQuery);
  const { data: auth } = useQuery(publishAuthQuery);
  if (!environment || !auth) return null;
  const secret = input.kind === 'backup' ? input.key : auth.publish;
  const { app, stream, vhost } = program;
  const path = `${app}/${stream}`;
  const urls = streamAddresses({ path, vhost, secret: { publish: secret }, page: window.location, environment });
  const name = nameOf(input, program.inputs);
  const field = (label: string, value: string) => (
    <CopyField label={t('program.encoders.field', { name, label })} value={value} secret={secret} />
  );
  return (
    <section className={classes.encoder} aria-label={name}>
      <h3>{name}</h3>
      {way === 'rtmp' && (
        <>
          {field(t('program.encoders.server'), urls.rtmpServer)}
          {field(t('program.encoders.key'), urls.rtmpStreamKey)}
        </>
      )}
      {way === 'srt' && field('SRT URL', urls.srtPublishUrl)}
      {way === 'whip' && field('WHIP URL', urls.whipUrl)}
    </section>
  );
}
