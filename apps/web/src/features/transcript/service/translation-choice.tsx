import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { transcriptLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { IconX } from '../../../components/ui/theme/icons.ts';

interface TranslationChoiceProps {
  languages: readonly { code: string; name: string }[];
  /** What is spoken needs no translation. */
  spoken: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Languages that subtitles are translated into: one is added at a time, and removed by pressing it. */
export function TranslationChoice({ languages, spoken, chosen, onChange }: TranslationChoiceProps) {
  const { t } = useTranslation();
  const nameOf = (code: string) => languages.find((language) => language.code === code)?.name ?? code;
  const isFull = chosen.length >= transcriptLimits.translations;
  const others = languages.filter(({ code }) => code !== spoken && !chosen.includes(code));
  return (
    <Stack gap="xs">
      <NativeSelect
        size="md"
        label={t('transcript.translations.label')}
        description={t('transcript.translations.help', { most: transcriptLimits.translations })}
        data={[
          { value: '', label: t('transcript.translations.add') },
          ...others.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
        ]}
        value=""
        disabled={isFull}
        onChange={(event) => onChange([...chosen, event.currentTarget.value])}
      />
      {chosen.length > 0 && (
        <Group gap="xs">
          {chosen.map((code) => (
            <Button
              key={code}
              variant="default"
              rightSection={<IconX size={16} aria-hidden />}
              aria-label={t('transcript.translations.remove', { language: nameOf(code) })}
              onClick={() => onChange(chosen.filter((one) => one !== code))}
            >
              {nameOf(code)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
