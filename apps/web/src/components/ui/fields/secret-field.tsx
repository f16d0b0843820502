import { Button, Input } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../lib/notify.ts';
import { IconCopy } from '../theme/icons.ts';
import { RevealButton } from './reveal-button.tsx';
import classes from './secret-field.module.css';

interface SecretFieldProps {
  label: string;
  description: ReactNode;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Small in sheets, where a key is entered and not passed on. */
  size?: 'sm' | 'md';
}

/** Editable secret, masked until revealed. */
export function SecretField({ label, description, value, onChange, error, size = 'md' }: SecretFieldProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div className={classes.row}>
        <Input
          id={id}
          className={classes.field}
          classNames={{ input: classes.input }}
          size={size}
          type={isShown ? 'text' : 'password'}
          // Not a password of this site: password managers should ignore it.
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          autoCapitalize="none"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
          rightSectionPointerEvents="all"
          rightSection={<RevealButton isShown={isShown} onChange={setIsShown} />}
        />
        {size === 'md' && (
          <Button
            className={classes.copy}
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
            disabled={value === ''}
            onClick={() => copy(value)}
          >
            {t('helper.copy')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
