import type { SourceKind } from '../session/player-source.ts';
import { openFile } from './file-playback.ts';
import { openFlv, openTs } from './flv-playback.ts';
import { openHls } from './hls-playback.ts';
import type { OpenPlayback } from './playback.ts';
import { openWhep } from './whep-playback.ts';

/** Playback by kind of source. The large libraries are loaded on first use. */
export const openPlayback: Record<SourceKind, OpenPlayback> = {
  flv: openFlv,
  ts: openTs,
  hls: openHls,
  whep: openWhep,
  file: openFile,
};
