import { Button, Input } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../lib/notify.ts';
import classes from './copy-field.module.css';
import { IconCopy } from './icons.ts';

/** Something to take elsewhere: label, value, copy. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const id = useId();
  return (
    <Input.Wrapper label={label} id={id}>
      <div className={classes.row}>
        <input
          id={id}
          className={classes.value}
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => copy(value)}>
          {t('helper.copy')}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
