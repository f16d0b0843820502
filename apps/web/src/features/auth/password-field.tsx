import { Checkbox, Stack, TextInput } from '@mantine/core';
import { limits } from '@weir/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface PasswordFieldProps {
  label: string;
  description?: string;
  autoComplete: 'current-password' | 'new-password';
  /** The first thing to do on the page: the cursor waits in it. */
  takesFocus?: boolean;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** A password in plain sight until the box is unchecked: mistyping is the likelier trouble than onlookers. */
export function PasswordField({ value, onChange, error, takesFocus = false, ...props }: PasswordFieldProps) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  return (
    <Stack gap="sm">
      <TextInput
        {...props}
        ref={field}
        size="md"
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        maxLength={limits.passwordCharacters}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      <Checkbox
        label={t('login.labelShow')}
        checked={isShown}
        onChange={(event) => {
          setIsShown(event.currentTarget.checked);
          field.current?.focus();
        }}
      />
    </Stack>
  );
}
