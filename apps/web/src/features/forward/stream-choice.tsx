import { Radio, TextInput } from '@mantine/core';
import { type ActiveStream, outletLimits } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate, formatNumber } from '../../components/figures/format-figures.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { useLocale } from '../../lib/i18n.ts';
import classes from './stream-choice.module.css';

interface StreamChoiceProps {
  streams: readonly ActiveStream[];
  /** Name of a stream; empty means the newest. */
  value: string;
  onChange: (stream: string) => void;
}

/** Stream to forward: the newest, a live one, or the name of a later one. */
export function StreamChoice({ streams, value, onChange }: StreamChoiceProps) {
  const { t } = useTranslation();
  const chosen = findStream(streams, value);
  const [isNamed, setIsNamed] = useState(value !== '' && chosen === undefined);
  const choose = (choice: string) => {
    setIsNamed(choice === 'named');
    if (choice === 'newest') onChange('');
    if (choice.startsWith('live ')) onChange(choice.slice(5));
  };
  const current = isNamed ? 'named' : chosen ? `live ${streamLabel(chosen)}` : 'newest';
  return (
    <>
      <Radio.Group value={current} onChange={choose} aria-label={t('forward.stream')}>
        <div className={classes.list}>
          {streams.map((stream) => (
            <Choice
              key={stream.client_id}
              value={`live ${streamLabel(stream)}`}
              picture={<Thumbnail stream={stream} isLive />}
              name={streamLabel(stream)}
              facts={<StreamFacts stream={stream} />}
              state={<StatusLabel tone="ok" word={t('process.state.live')} />}
            />
          ))}
          <Choice value="newest" name={t('forward.newest')} facts={t('forward.newestHelp')} />
          <Choice value="named" name={t('forward.named')} facts={t('forward.namedHelp')} />
        </div>
      </Radio.Group>
      {isNamed && (
        <TextInput
          label={t('forward.stream')}
          description={t('forward.tip')}
          placeholder="live/livestream"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          maxLength={outletLimits.streamCharacters}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  );
}

/** A name without its app means the app `live`. */
export function findStream(streams: readonly ActiveStream[], name: string): ActiveStream | undefined {
  return streams.find((stream) => [streamLabel(stream), streamLabel(stream).replace(/^live\//, '')].includes(name));
}

interface ChoiceProps {
  value: string;
  picture?: ReactNode;
  name: string;
  facts: ReactNode;
  state?: ReactNode;
}

function Choice({ value, picture, name, facts, state }: ChoiceProps) {
  return (
    <Radio.Card value={value} className={classes.card} aria-label={name}>
      <Radio.Indicator size="xs" />
      {picture && <span className={classes.picture}>{picture}</span>}
      <span className={classes.text}>
        <span className={classes.name}>{name}</span>
        <span className={classes.facts}>{facts}</span>
      </span>
      {state}
    </Radio.Card>
  );
}

/** `1080p30 · 4.1 Mbit/s` */
function StreamFacts({ stream: { media } }: { stream: ActiveStream }) {
  const locale = useLocale();
  const { video, fps = 0, kbps } = media ?? {};
  const size = video && video.height > 0 && `${Math.min(video.height, video.width)}p`;
  const rate = fps > 0 ? formatNumber(Math.round(fps), locale) : '';
  return [size && `${size}${rate}`, formatBitrate(kbps, locale)].filter(Boolean).join(' · ');
}
