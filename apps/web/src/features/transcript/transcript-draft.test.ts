import { builtInBaseUrl, TranscriptConfig, transcriptDefaults } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { hasOwnProvider } from '../../components/ai/provider/provider-problem.ts';
import { findTranscriptProblem, refusedField, toDraft, toSentConfig } from './transcript-draft.ts';

const fresh = TranscriptConfig.parse({});
const offered = toDraft(fresh, 'en');
const own = { ...offered, secretKey: 'k', baseURL: 'https://ai.example/v1' };

describe('the transcript form', () => {
  it('proposes the language of the page and the defaults before the first save', () => {
    expect(offered).toMatchObject({ secretKey: '', baseURL: '', lang: 'en', streams: [], ...transcriptDefaults });
    expect(offered).toMatchObject({ overlayEnabled: true, webvttEnabled: true });
    expect(toDraft(fresh, 'zh')).toMatchObject({ lang: 'zh' });
  });

  it('shows saved settings and sends them unchanged', () => {
    const saved = TranscriptConfig.parse({
      all: true,
      secretKey: '••••cdef',
      baseURL: 'https://ai.example/v1',
      organization: 'o',
      lang: '',
      forceStyle: 'Alignment=6',
      videoCodecParams: '-c:v libx264',
      streams: ['live/a', 'live/b'],
      fixSeconds: 7.5,
      translations: ['de', 'zh-Hans'],
      overlayEnabled: false,
      webvttEnabled: false,
    });
    expect(toDraft(saved, 'zh')).toMatchObject({ lang: '', fixSeconds: '7.5' });
    const { captions: _captions, ...sent } = saved;
    expect(toSentConfig(toDraft(saved, 'zh'), true)).toEqual(sent);
  });

  it('requires provider fields only for an own provider', () => {
    expect([own, offered, { ...own, baseURL: builtInBaseUrl }].map(hasOwnProvider)).toEqual([true, false, false]);
  });

  it.each([
    [
      { ...own, secretKey: '' },
      { part: 'provider', provider: { field: 'secretKey', text: 'llm.noKey' } },
    ],
    [
      { ...own, baseURL: 'https://' },
      { part: 'provider', provider: { field: 'baseURL', text: 'llm.badUrl' } },
    ],
    [
      { ...own, baseURL: 'ai.example/v1' },
      { part: 'provider', provider: { field: 'baseURL', text: 'llm.badUrl' } },
    ],
    [{ ...offered, secretKey: '', baseURL: '' }, undefined],
    [
      { ...offered, fixSeconds: '61' },
      { part: 'asr', field: 'fixSeconds' },
    ],
    [
      { ...offered, fixSeconds: 'ten' },
      { part: 'asr', field: 'fixSeconds' },
    ],
    [{ ...offered, fixSeconds: ' 10 ' }, undefined],
    [own, undefined],
  ])('finds the problem (%#)', (draft, problem) => {
    expect(findTranscriptProblem(draft, fresh)).toEqual(problem);
  });

  it('assigns a refusal to its field', () => {
    expect(refusedField('forceStyle: may contain only style fields')).toEqual({ part: 'overlay', field: 'forceStyle' });
    expect(refusedField('videoCodecParams: may contain only')).toEqual({ part: 'overlay', field: 'videoCodecParams' });
    expect(refusedField('no AI provider')).toBeUndefined();
  });
});
