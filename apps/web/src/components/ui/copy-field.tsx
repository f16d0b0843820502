import { Button, Input } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../lib/notify.ts';
import classes from './copy-field.module.css';
import { IconCopy } from './icons.ts';
import { RevealButton } from './reveal-button.tsx';

export interface CopyFieldProps {
  label: string;
  value: string;
  /** Masked until it is asked for; copying does not show it. */
  isSecret?: boolean;
}

/** Something to take elsewhere: label, value, copy. */
export function CopyField({ label, value, isSecret = false }: CopyFieldProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  return (
    <Input.Wrapper label={label} id={id}>
      <div className={classes.row}>
        <div className={classes.box}>
          <input
            id={id}
            className={classes.value}
            type={isSecret && !isShown ? 'password' : 'text'}
            autoComplete="off"
            readOnly
            value={value}
            onFocus={(event) => event.currentTarget.select()}
          />
          {isSecret && <RevealButton isShown={isShown} onChange={setIsShown} />}
        </div>
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => copy(value)}>
          {t('helper.copy')}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
