import { NativeSelect, Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ActiveStream, type ForwardOutlet, outletLimits } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate, formatNumber } from '../../components/figures/format-figures.ts';
import { ForwardArt } from '../../components/outlets/empty-art.tsx';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import { OutletList } from '../../components/outlets/outlet-list.tsx';
import type { SourcePart } from '../../components/outlets/outlet-sheet.tsx';
import { parseStreamPath } from '../../components/streams/preview-query.ts';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { forwardQueries, sendForward } from './forward-queries.ts';
import classes from './stream-choice.module.css';

const steps = ['publish', 'enter', 'start'] as const;

/** Streams of this server, sent on to platforms and other servers. */
export function ForwardTab() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const slots = useQuery(forwardQueries.slots);
  const rows = useQuery(forwardQueries.rows);
  const { data: live } = useQuery(streamsQuery);
  const streams = live?.streams ?? [];
  const source: SourcePart<ForwardOutlet> = {
    render: ({ slot, edit }) => (
      <>
        <StreamChoice streams={streams} value={slot.stream} onChange={(stream) => edit({ stream })} />
        <QualityChoice value={slot.quality} onChange={(quality) => edit({ quality })} />
      </>
    ),
    published: ({ stream, quality }) => {
      // The bitrate of a lower quality is not known here.
      if (quality) return undefined;
      const found = stream === '' ? streams[0] : findStream(streams, stream);
      const { video, fps, kbps } = found?.media ?? {};
      if (!found || !video) return undefined;
      const height = Math.min(video.height, video.width);
      return { height, fps: fps ?? 0, kbps: kbps ?? 0, name: streamLabel(found) };
    },
  };
  const sentBy = (slot: ForwardOutlet, row: { stream?: string | undefined } | undefined) => row?.stream || slot.stream;
  return (
    <OutletList
      slots={slots}
      rows={rows}
      limit={environment?.forwardLimit}
      send={sendForward}
      blank={{ stream: streams[0] ? streamLabel(streams[0]) : '', quality: '' }}
      source={source}
      from={(slot, row) => sentBy(slot, row) || t('forward.newest')}
      picture={(slot, row) => {
        const name = sentBy(slot, row);
        const found = findStream(streams, name);
        return <Thumbnail stream={found ?? placeOf(name)} isLive={found !== undefined} isDimmed={!slot.enabled} />;
      }}
      preview={(stream) => <StreamPlayer stream={stream} />}
      texts={{
        title: t('forward.tab'),
        purpose: t('nav.purpose.forward'),
        add: t('plat.com.add'),
        edit: t('forward.edit'),
        head: t('plat.com.platform'),
        help: (
          <OutletIntroduction
            summary={t('forward.intro.summary')}
            steps={steps.map((step) => t(`forward.intro.${step}`))}
            note={t('forward.intro.note')}
          />
        ),
        empty: { art: <ForwardArt />, text: t('forward.emptyText') },
        sourceStep: { title: t('plat.com.source'), hint: t('forward.sourceHint') },
        waiting: t('forward.waiting'),
        slot: (number) => t('forward.slot', { number }),
      }}
    />
  );
}

/** Place of a stream that is not live now. */
function placeOf(name: string) {
  if (name === '') return undefined;
  return parseStreamPath(name.includes('/') ? name : `live/${name}`);
}

interface StreamChoiceProps {
  streams: readonly ActiveStream[];
  /** Name of a stream; empty means the newest. */
  value: string;
  onChange: (stream: string) => void;
}

/** Stream to forward: the newest, a live one, or the name of a later one. */
function StreamChoice({ streams, value, onChange }: StreamChoiceProps) {
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

const usualQualities = ['1080p', '720p', '480p', '360p', '240p'] as const;

/** Choice of the forwarded quality, for platforms with a bitrate limit. */
function QualityChoice({ value, onChange }: { value: string; onChange: (quality: string) => void }) {
  const { t } = useTranslation();
  const names = [...new Set([...usualQualities, ...(value ? [value] : [])])];
  return (
    <NativeSelect
      label={t('forward.quality')}
      description={t('forward.qualityHelp')}
      value={value ?? ''}
      data={[{ value: '', label: t('forward.bestQuality') }, ...names]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A name without its app means the app `live`. */
function findStream(streams: readonly ActiveStream[], name: string): ActiveStream | undefined {
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
