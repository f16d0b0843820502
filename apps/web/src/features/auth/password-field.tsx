import { Checkbox, TextInput } from '@mantine/core';
import { limits } from '@weir/contract';
import type { TFunction } from 'i18next';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { type PasswordStrength, passwordStrength } from '../../lib/password-strength.ts';

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

const tones = { short: 'bad', weak: 'warn', fair: 'ok', strong: 'ok' } as const satisfies Record<
  PasswordStrength,
  Tone
>;

/** Strength of a new password and how to improve it. Empty before typing begins. */
export function PasswordHint({ value }: { value: string }) {
  const { t } = useTranslation();
  const strength = passwordStrength(value);
  return (
    <div role="status">
      {value !== '' && (
        <StatusLabel tone={tones[strength]} word={t(`setup.strength.${strength}`, { least: limits.passwordLeast })} />
      )}
    </div>
  );
}

/** Returns why a password is not accepted, or undefined if it is. */
export function passwordFault(t: TFunction, value: string): string | undefined {
  if (value === '') return t('setup.passwordEmpty');
  return value.length < limits.passwordLeast ? t('setup.passwordShort', { least: limits.passwordLeast }) : undefined;
}
