import { Button, NativeSelect } from '@mantine/core';
import { type Recording, type RecordLink, recordLanguageParameter, transcriptForms } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageName } from '../../../lib/language-name.ts';
import { IconDownload } from '../icons.ts';
import classes from '../record.module.css';
import { fileName } from './save-file.ts';

interface TranscriptDownloadsProps {
  recording: Recording;
  link: RecordLink;
}

/** What was said, as files; where it was translated, in the language one chooses. */
export function TranscriptDownloads({ recording, link }: TranscriptDownloadsProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const { language, translations } = link;
  const original = t('record.transcript.original');
  const query = chosen === '' ? '' : `&${recordLanguageParameter}=${chosen}`;
  return (
    <>
      {translations.length > 0 && (
        <NativeSelect
          maw={360}
          label={t('record.transcript.language')}
          data={[
            { value: '', label: language === '' ? original : `${languageName(language)} · ${original}` },
            ...translations.map((code) => ({ value: code, label: languageName(code) })),
          ]}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <div className={classes.watch}>
        {transcriptForms.map((form) => (
          <Button
            key={form}
            component="a"
            href={link[form] + query}
            download={fileName(recording, form, chosen)}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t(`record.transcript.download.${form}`)}
          </Button>
        ))}
      </div>
    </>
  );
}
