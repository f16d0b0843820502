import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AiAnswerer, TranscriptTranslation } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { languagesQuery } from '../../../components/ai/ai-queries.ts';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { delayText } from '../../../components/figures/figures.ts';
import { useLocale } from '../../../lib/i18n.ts';

/** Each language of one stream: how late it is, what was left out, and why none comes. The original is not concerned. */
export function TranslationState({ translations }: { translations: readonly TranscriptTranslation[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data } = useQuery({ ...languagesQuery, enabled: translations.length > 0 });
  if (translations.length === 0) return null;
  const nameOf = (code: string) => data?.languages.find((language) => language.code === code)?.name ?? code;
  const failing = translations.find(({ cause }) => cause !== null);
  return (
    <>
      {translations.map(({ language, delayMs, skipped, cause }) => {
        const values = { language: nameOf(language), delay: delayText(delayMs ?? undefined, locale) };
        const state = cause ? 'paused' : delayMs === null ? 'waiting' : 'behind';
        const left = skipped > 0 ? ` ${t('transcript.translations.skipped', { count: skipped })}` : '';
        return (
          <Text key={language} size="sm" c="dimmed">
            {t(`transcript.translations.${state}`, values)}
            {left}
          </Text>
        );
      })}
      {failing?.cause && (
        <AiReason cause={failing.cause} tone="warn">
          <p>{t('transcript.translations.originalContinues')}</p>
        </AiReason>
      )}
    </>
  );
}

/** Who translates, and what leaves this server for it. */
export function TranslatorLine({ translator }: { translator: AiAnswerer | null }) {
  const { t } = useTranslation();
  if (!translator) return null;
  const { by, host, cause } = translator;
  if (by !== 'nobody') return <Text size="sm">{t('transcript.translations.by', { host })}</Text>;
  return (
    <AiReason cause={cause ?? 'no-provider'} tone="warn">
      <p>{t('transcript.translations.needsChat')}</p>
    </AiReason>
  );
}
