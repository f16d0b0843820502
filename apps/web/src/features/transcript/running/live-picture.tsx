import { useQuery } from '@tanstack/react-query';
import type { TranscriptLine, TranscriptStream } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PreviewPlayer } from '../../../components/streams/preview-player.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { linesQuery } from '../transcript-queries.ts';
import classes from './picture.module.css';

interface LivePictureProps {
  stream: TranscriptStream;
  isOn: boolean;
}

/** Live video with the latest text on top. */
export function LivePicture({ stream: { uuid, stream, captions }, isOn }: LivePictureProps) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  const live = data?.streams.find((one) => streamLabel(one) === stream);
  if (!live || !isOn) {
    return (
      <div className={classes.off}>
        <p>{t(isOn ? 'transcript.running.noPicture' : 'transcript.running.pictureOff')}</p>
      </div>
    );
  }
  return (
    <div className={classes.picture}>
      <PreviewPlayer
        stream={live}
        publisher={live.client_id}
        // FLV is as late as the text, so that both fit.
        hasWhep={false}
        pending={<div className={classes.off} />}
      />
      {!captions && <LatestText uuid={uuid} isOn={isOn} />}
    </div>
  );
}

/** Longest time that a text stays, as on television. */
const longestMs = 6000;

/** The stream's own players draw subtitles themselves where they are turned on. */
function LatestText({ uuid, isOn }: { uuid: string; isOn: boolean }) {
  const { data } = useQuery(linesQuery(uuid, isOn));
  const last: TranscriptLine | undefined = data?.lines.at(-1);
  const [gone, setGone] = useState<string>();
  const shown = data?.growing || (last && !last.cleared && last.id !== gone ? last.text : '');
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setGone(last.id), longestMs);
    return () => clearTimeout(timer);
  }, [last?.id, last]);
  if (!shown) return null;
  return (
    <p className={classes.text} aria-hidden="true">
      <span>{shown}</span>
    </p>
  );
}
