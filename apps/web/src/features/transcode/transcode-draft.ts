import { type TranscodeConfig, type TranscodeField, transcodeDefaults } from '@weir/contract';

/** Form fields as typed; some may not be numbers yet. */
export type TranscodeDraft = Readonly<Record<TranscodeField | 'stream', string>>;

/** Fills the form from the saved settings, or with usual values before the first save. */
export function toDraft(saved: TranscodeConfig, own: { server: string; secret: string }): TranscodeDraft {
  const isSaved = saved.vbitrate > 0;
  const fields = isSaved ? saved : { ...saved, ...transcodeDefaults };
  // A key belongs to its server, so a partly filled destination gets no defaults.
  const hasPlace = saved.server !== '' || saved.secret !== '';
  return {
    vbitrate: String(fields.vbitrate),
    abitrate: String(fields.abitrate),
    vcodec: fields.vcodec,
    vprofile: fields.vprofile,
    vpreset: fields.vpreset,
    acodec: fields.acodec,
    achannels: String(fields.achannels),
    server: hasPlace ? saved.server : own.server,
    secret: hasPlace ? saved.secret : own.secret,
    stream: saved.stream,
  };
}

export function toTranscodeConfig(draft: TranscodeDraft, all: boolean): TranscodeConfig {
  return {
    all,
    vbitrate: parseWhole(draft.vbitrate),
    abitrate: parseWhole(draft.abitrate),
    vcodec: draft.vcodec,
    vprofile: draft.vprofile,
    vpreset: draft.vpreset,
    acodec: draft.acodec,
    achannels: parseWhole(draft.achannels),
    server: draft.server.trim(),
    secret: draft.secret.trim(),
    stream: draft.stream.trim(),
  };
}

/** Accepts only digits, because `1200k` or `1e3` is ambiguous. */
function parseWhole(text: string): number {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN;
}
