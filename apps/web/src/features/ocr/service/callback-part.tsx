import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths, useLocalPath } from '../../../lib/paths.ts';

/** Where every text that was read is sent. */
export function CallbackPart() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <Stack gap="md" maw={560} align="flex-start">
      <Text size="sm">{t('ocr.link2')}</Text>
      <Button variant="default" component={Link} to={localPath(`${paths.settings}?tab=callback`)}>
        {t('ocr.link')}
      </Button>
    </Stack>
  );
}
