import type { SubtitleTrack } from '@weir/streams';
import { parseJson, readStorage, storageKeys, writeStorage } from '../../../lib/browser/browser-storage.ts';

/** Viewer's subtitle preference, valid for all streams. */
export interface CaptionChoice {
  readonly isOn: boolean;
  readonly language: string;
}

/** Undefined if the viewer never chose. */
export function readCaptionChoice(): CaptionChoice | undefined {
  const kept = parseJson(readStorage(storageKeys.captions));
  if (typeof kept !== 'object' || kept === null || !('isOn' in kept) || !('language' in kept)) return undefined;
  return { isOn: kept.isOn === true, language: String(kept.language) };
}

export function saveCaptionChoice(choice: CaptionChoice): void {
  writeStorage(storageKeys.captions, JSON.stringify(choice));
}

/** Track for a preference; undefined means off. Without a preference the stream owner's default applies. */
export function selectTrack(
  choice: CaptionChoice | undefined,
  tracks: readonly SubtitleTrack[],
): SubtitleTrack | undefined {
  if (!choice) return tracks.find(({ isDefault }) => isDefault);
  return choice.isOn ? findPreferredTrack(choice.language, tracks) : undefined;
}

/** Exact language, then the same base language, then the default track. */
export function findPreferredTrack(language: string, tracks: readonly SubtitleTrack[]): SubtitleTrack | undefined {
  const [main] = language.split('-');
  return (
    tracks.find((track) => track.language === language) ??
    tracks.find((track) => track.language.split('-')[0] === main) ??
    tracks.find(({ isDefault }) => isDefault) ??
    tracks[0]
  );
}
