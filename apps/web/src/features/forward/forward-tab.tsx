import { useQuery } from '@tanstack/react-query';
import type { ForwardOutlet } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { ForwardArt } from '../../components/outlets/empty-art.tsx';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import { OutletList } from '../../components/outlets/outlet-list.tsx';
import type { SourcePart } from '../../components/outlets/outlet-sheet.tsx';
import { parseStreamPath } from '../../components/streams/preview-query.ts';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { forwardQueries, sendForward } from './forward-queries.ts';
import { findStream, StreamChoice } from './stream-choice.tsx';

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
      <StreamChoice streams={streams} value={slot.stream} onChange={(stream) => edit({ stream })} />
    ),
    published: ({ stream }) => {
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
      blank={{ stream: streams[0] ? streamLabel(streams[0]) : '' }}
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
