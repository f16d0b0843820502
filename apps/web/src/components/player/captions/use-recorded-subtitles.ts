import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { readCaptionChoice, saveCaptionChoice } from './caption-choice.ts';
import { findTranscriptAddress, RecordedSubtitles } from './recorded-subtitles.ts';

/** Adds the transcript of the recording at `url` to its video element. */
export function useRecordedSubtitles(video: HTMLVideoElement | null, url: string): void {
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
