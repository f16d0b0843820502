import { ActionIcon, Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { aiApi } from '@weir/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { languageName } from '../../lib/language-name.ts';
import { IconPlayerPlay } from '../ui/theme/icons.ts';
import type { ProviderFacts } from './provider/provider-problem.ts';
import classes from './voice-list.module.css';

interface ListedVoice {
  readonly id: string;
  readonly name: string;
  /** Empty if the provider does not say. */
  readonly languages?: readonly string[];
}

interface VoiceListProps {
  voices: readonly ListedVoice[];
  /** Speaks the samples; the global one if not given. */
  provider?: ProviderFacts;
  chosen?: string;
  onChoose?: (voice: string) => void;
}

/** Voices that contain every word of the search in their name, id or language. */
export function findVoices(
  voices: readonly ListedVoice[],
  search: string,
  nameOf: (language: string) => string,
): readonly ListedVoice[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return voices.filter(({ id, name, languages = [] }) => {
    const text = [id, name, ...languages, ...languages.map(nameOf)].join(' ').toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Searchable list of voices. Each speaks a sentence on request. */
export function VoiceList({ voices, provider, chosen, onChoose }: VoiceListProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');

  const found = findVoices(voices, search, languageName);
  const sample = useSample(provider);
  return (
    <div className={classes.list}>
      <TextInput
        aria-label={t('llm.voices.search')}
        placeholder={t('llm.voices.search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed" role="status">
        {t('llm.voices.count', { count: found.length })}
      </Text>
      <ul className={classes.voices} aria-label={t('llm.voices.title')}>
        {found.map(({ id, name, languages = [] }) => (
          <li key={id} className={classes.voice} data-chosen={id === chosen || undefined}>
            <ActionIcon
              variant="default"
              loading={sample.isPending && sample.variables?.voice === id}
              disabled={sample.isPending}
              aria-label={t('llm.voices.play', { name })}
              title={t('llm.voices.play', { name })}
              onClick={() => sample.mutate({ voice: id, language: languages[0] ?? '' })}
            >
              <IconPlayerPlay size={16} aria-hidden />
            </ActionIcon>
            <div className={classes.name}>
              <span>{name}</span>
              {languages.length > 0 && (
                <Text size="xs" c="dimmed">
                  {languages.map(languageName).join(', ')}
                </Text>
              )}
            </div>
            {onChoose && (
              <Button
                size="xs"
                variant="default"
                disabled={id === chosen}
                aria-label={t('llm.voices.useWhat', { name })}
                onClick={() => onChoose(id)}
              >
                {t(id === chosen ? 'llm.voices.used' : 'llm.voices.use')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Plays one sample at a time. */
function useSample(provider: ProviderFacts | undefined) {
  const audio = useRef<HTMLAudioElement>(undefined);
  useEffect(() => () => audio.current?.pause(), []);
  return useMutation({
    mutationFn: (voice: { voice: string; language: string }) =>
      client.call(aiApi.voiceSample, { ...provider, ...voice }),
    onSuccess: ({ audio: base64, type }) => {
      audio.current?.pause();
      audio.current = new Audio(`data:${type};base64,${base64}`);
      // Browsers may refuse audio, which is no failure of the voice.
      audio.current.play().catch(() => undefined);
    },
  });
}
