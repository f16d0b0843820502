import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/feedback/notice.tsx';
import { readCaptionChoice, saveCaptionChoice } from './captions/caption-choice.ts';
import { findTranscriptAddress, RecordedSubtitles } from './captions/recorded-subtitles.ts';
import { openFile } from './playback/file-playback.ts';
import { openRecordedHls } from './playback/hls-playback.ts';
import { type Playback, PlaybackError } from './playback/playback.ts';
import classes from './recorded-player.module.css';
import type { PlayerFailure } from './session/player-failure.ts';

export interface RecordedSource {
  readonly kind: 'file' | 'hls';
  readonly url: string;
}

interface RecordedPlayerProps {
  source: RecordedSource;
  title: string;
  startSeconds?: number | undefined;
}

/** Positions beyond the end show the last seconds: the newest ones of a growing recording. */
const lastSeconds = 2;

/** Plays a recording from the start or a given second with native controls; seekable also while it grows. */
export function RecordedPlayer({ source: newest, title, startSeconds = 0 }: RecordedPlayerProps) {
  const { t } = useTranslation();
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [failure, setFailure] = useState<PlayerFailure>();
  // Links are renewed from time to time, which must not restart playback.
  const [source, setSource] = useState(newest);
  useRecordedSubtitles(video, source.url);

  useEffect(() => {
    if (!video) return;
    const left = new AbortController();
    const { kind, url } = source;
    const open = kind === 'hls' ? openRecordedHls : openFile;
    let playback: Playback | undefined;
    const events = { onFailure: setFailure };
    open({ video, url, events, signal: left.signal }).then(
      (opened) => {
        playback = opened;
        if (left.signal.aborted) opened.close();
        else startAt(video, startSeconds, left.signal);
      },
      (error: unknown) => {
        if (left.signal.aborted) return;
        setFailure(error instanceof PlaybackError ? error.failure : { kind: 'network', detail: String(error) });
      },
    );
    return () => {
      left.abort();
      playback?.close();
      setFailure(undefined);
    };
  }, [video, source, startSeconds]);

  return (
    <div>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is added as a track if there is one */}
      <video ref={setVideo} className={classes.video} aria-label={t('player.label', { title })} controls playsInline />
      <div role="status">
        {failure && (
          <Notice tone="bad" title={t(`player.recorded.${describeFailure(failure)}`)}>
            {failure.detail && <Text size="sm">{t('player.said', { detail: failure.detail })}</Text>}
            <Button size="xs" variant="default" onClick={() => setSource({ ...newest })}>
              {t('player.again')}
            </Button>
          </Notice>
        )}
      </div>
    </div>
  );
}

/** Seeking needs the duration; playing earlier would show the beginning first. */
function startAt(video: HTMLVideoElement, seconds: number, signal: AbortSignal): void {
  const start = () => {
    const end = Number.isFinite(video.duration) ? video.duration - lastSeconds : seconds;
    if (seconds > 0) video.currentTime = Math.max(0, Math.min(seconds, end));
    // Autoplay may be blocked; the controls remain.
    video.play().catch(() => undefined);
  };
  if (seconds === 0 || video.readyState >= video.HAVE_METADATA) start();
  else video.addEventListener('loadedmetadata', start, { once: true, signal });
}

function describeFailure({ kind }: PlayerFailure): 'gone' | 'refused' | 'codec' | 'network' {
  if (kind === 'not-found' || kind === 'ended') return 'gone';
  if (kind === 'codec' || kind === 'unsupported') return 'codec';
  return kind === 'refused' ? 'refused' : 'network';
}

/** Adds the transcript of the recording at `url` to its video element. */
function useRecordedSubtitles(video: HTMLVideoElement | null, url: string): void {
  const { t, i18n } = useTranslation();
  const label = t('player.captions');
  const address = findTranscriptAddress(url, new URL(window.location.href));
  useEffect(() => {
    if (!video || address === undefined) return;
    const choice = readCaptionChoice();
    const subtitles = new RecordedSubtitles({
      video,
      address,
      label,
      choice,
      onChoice: ({ isOn, language = choice?.language || i18n.language }) => saveCaptionChoice({ isOn, language }),
    });
    return () => subtitles.close();
  }, [video, address, label, i18n]);
}
