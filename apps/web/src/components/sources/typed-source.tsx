import { Button, TextInput } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './sources.module.css';

interface TypedSourceProps {
  label: string;
  placeholder: string;
  help: ReactNode;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  action: string;
  isBusy: boolean;
  onSubmit: () => void;
}

/** Address or path with a button. It is inside a slot's form and therefore no form itself. */
export function TypedSource({
  label,
  placeholder,
  help,
  value,
  onChange,
  error,
  action,
  isBusy,
  onSubmit,
}: TypedSourceProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Prevents saving the surrounding slot.
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <div className={classes.typed}>
      <TextInput
        size="md"
        label={label}
        description={help}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={error}
      />
      <Button size="md" className={classes.take} loading={isBusy} onClick={onSubmit}>
        {action}
      </Button>
    </div>
  );
}
