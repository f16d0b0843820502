import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './backup.module.css';
import { RestorePanel } from './restore-panel.tsx';

/** Set-up of a new server from a backup of another one. The set-up code is the authority. */
export function SetupRestore({ code: known, onDone }: { code: string; onDone: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [code, setCode] = useState(known);
  if (!isOpen)
    return (
      <Button variant="subtle" color="gray" fullWidth mt="md" onClick={() => setIsOpen(true)}>
        {t('backup.setup.open')}
      </Button>
    );
  return (
    <Stack gap="md" className={classes.setup}>
      <Text size="sm" c="dimmed">
        {t('backup.setup.help')}
      </Text>
      {known === '' && (
        <TextInput
          size="md"
          label={t('setup.codeLabel')}
          description={t('setup.codeHelp')}
          autoComplete="off"
          spellCheck={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      <RestorePanel authority={() => ({ bearer: code.trim() })} onRestored={onDone} />
    </Stack>
  );
}
