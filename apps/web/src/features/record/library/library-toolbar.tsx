import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../record.module.css';
import { isFiltered, type LibraryView, librarySorts, wholeLibrary } from './library-view.ts';

interface LibraryToolbarProps {
  view: LibraryView;
  streams: readonly string[];
  onChange: (view: LibraryView) => void;
}

export function LibraryToolbar({ view, streams, onChange }: LibraryToolbarProps) {
  const { t } = useTranslation();
  const edit = (change: Partial<LibraryView>) => onChange({ ...view, ...change });
  return (
    <div className={classes.toolbar}>
      <NativeSelect
        label={t('record.source')}
        value={view.stream}
        data={[
          { value: '', label: t('record.library.anyStream') },
          ...streams.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(event) => edit({ stream: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('record.library.from')}
        max={view.to || undefined}
        value={view.from}
        onChange={(event) => edit({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('record.library.to')}
        min={view.from || undefined}
        value={view.to}
        onChange={(event) => edit({ to: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('record.library.sort')}
        value={view.sort}
        data={librarySorts.map((sort) => ({ value: sort, label: t(`record.library.by.${sort}`) }))}
        onChange={(event) => edit({ sort: librarySorts.find((one) => one === event.currentTarget.value) ?? 'newest' })}
      />
      {isFiltered(view) && (
        <Button variant="subtle" onClick={() => onChange({ ...wholeLibrary, sort: view.sort })}>
          {t('record.library.clear')}
        </Button>
      )}
    </div>
  );
}
