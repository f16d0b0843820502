import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface NumberTextProps {
  label: string;
  help: string;
  /** Typed text. */
  value: string;
  most: number;
  least?: number;
  isWrong: boolean;
  onChange: (value: string) => void;
}

export function NumberField({ label, help, value, most, least = 0, isWrong, onChange }: NumberTextProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      size="md"
      label={label}
      description={help}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isWrong ? t('helper.wholeNumber', { least, most }) : undefined}
    />
  );
}

/** Digits only: `5000kb` and `1e9` are ambiguous. */
export function isWholeNumber(text: string, most: number, least = 0): boolean {
  return /^\s*\d+\s*$/.test(text) && Number(text) <= most && Number(text) >= least;
}
