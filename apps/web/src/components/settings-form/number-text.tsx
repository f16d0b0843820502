import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { mostOf } from './ocr-draft.ts';
import type { OcrForm } from './use-ocr-form.ts';

interface NumberTextProps {
  form: OcrForm;
  field: keyof typeof mostOf;
  label: string;
  help: string;
}

/** A whole number of the form, as it is typed. */
export function NumberText({ form: { draft, problem, edit }, field, label, help }: NumberTextProps) {
  const { t } = useTranslation();
  const isWrong = problem !== undefined && problem.tab !== 'provider' && problem.field === field;
  return (
    <TextInput
      size="md"
      label={label}
      description={help}
      inputMode="numeric"
      autoComplete="off"
      value={draft[field]}
      onChange={(event) => edit({ [field]: event.currentTarget.value })}
      error={isWrong ? t('ocr.numberWrong', { most: mostOf[field] }) : undefined}
    />
  );
}
