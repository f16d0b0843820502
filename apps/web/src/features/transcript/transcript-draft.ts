import { type TranscriptConfig, transcriptDefaults, transcriptLimits } from '@weir/contract';
import {
  hasOwnProvider,
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../components/ai/provider/provider-problem.ts';

export type TranscriptPart = 'provider' | 'asr' | 'overlay' | 'webvtt';

export interface TranscriptDraft extends ProviderFacts {
  readonly lang: string;
  readonly streams: readonly string[];
  readonly translations: readonly string[];
  /** Empty: until two more segments have arrived. */
  readonly fixSeconds: string;
  readonly overlayEnabled: boolean;
  readonly forceStyle: string;
  readonly videoCodecParams: string;
  readonly webvttEnabled: boolean;
}

export type TranscriptProblem =
  | { readonly part: 'provider'; readonly provider: ProviderProblem }
  | { readonly part: 'asr'; readonly field: 'fixSeconds' }
  | { readonly part: 'overlay'; readonly field: 'forceStyle' | 'videoCodecParams' };

/** Fills the form from the saved settings, or with the page's language and defaults before the first save. */
export function toDraft(saved: TranscriptConfig, locale: string): TranscriptDraft {
  const { baseURL, secretKey, organization, forceStyle, videoCodecParams } = saved;
  const isUnsaved = forceStyle === '' && videoCodecParams === '';
  return {
    secretKey,
    baseURL,
    organization,
    lang: isUnsaved && saved.lang === '' ? locale : saved.lang,
    streams: saved.streams,
    translations: saved.translations,
    fixSeconds: saved.fixSeconds === null ? '' : String(saved.fixSeconds),
    overlayEnabled: saved.overlayEnabled,
    forceStyle: forceStyle || transcriptDefaults.forceStyle,
    videoCodecParams: videoCodecParams || transcriptDefaults.videoCodecParams,
    webvttEnabled: saved.webvttEnabled,
  };
}

/** Settings sent by the form. Captions have their own switch and stay. */
export type SentConfig = Omit<TranscriptConfig, 'captions'>;

export function toSentConfig(draft: TranscriptDraft, all: boolean): SentConfig {
  const { secretKey, baseURL, organization, lang, overlayEnabled, webvttEnabled, fixSeconds } = draft;
  return {
    all,
    secretKey,
    baseURL,
    organization,
    lang,
    overlayEnabled,
    webvttEnabled,
    forceStyle: draft.forceStyle.trim() || transcriptDefaults.forceStyle,
    videoCodecParams: draft.videoCodecParams.trim() || transcriptDefaults.videoCodecParams,
    streams: [...draft.streams],
    translations: [...draft.translations],
    fixSeconds: fixSeconds.trim() === '' ? null : Number(fixSeconds),
  };
}

export function findTranscriptProblem(draft: TranscriptDraft, saved: ProviderFacts): TranscriptProblem | undefined {
  const provider = hasOwnProvider(draft) ? providerProblem(draft, saved) : undefined;
  if (provider) return { part: 'provider', provider };
  const seconds = draft.fixSeconds.trim();
  const isFine = seconds === '' || (/^\d{1,3}(\.\d)?$/.test(seconds) && Number(seconds) <= transcriptLimits.fixSeconds);
  return isFine ? undefined : { part: 'asr', field: 'fixSeconds' };
}

/** Finds the field named in the server's refusal. */
export function refusedField(message: string): TranscriptProblem | undefined {
  if (message.startsWith('forceStyle:')) return { part: 'overlay', field: 'forceStyle' };
  if (message.startsWith('videoCodecParams:')) return { part: 'overlay', field: 'videoCodecParams' };
  return undefined;
}
