import { Checkbox, TextInput } from '@mantine/core';
import { limits } from '@weir/contract';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';

interface PasswordFieldProps {
  ref?: Ref<HTMLInputElement>;
  label: string;
  description?: string;
  autoComplete: 'current-password' | 'new-password';
  isShown: boolean;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

export function PasswordField({ isShown, value, onChange, error, ...props }: PasswordFieldProps) {
  return (
    <TextInput
      {...props}
      size="md"
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      maxLength={limits.passwordCharacters}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}

export function ShowPassword({ isShown, onChange }: { isShown: boolean; onChange: (isShown: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t('login.labelShow')}
      checked={isShown}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
