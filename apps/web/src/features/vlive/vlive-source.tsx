import { useQueryClient } from '@tanstack/react-query';
import { type VliveOutlet, vliveApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { client } from '../../lib/api.ts';
import { vliveQueries } from './vlive-queries.ts';

interface VliveSourceProps {
  slot: VliveOutlet;
  edit: (change: Partial<VliveOutlet>) => void;
  problem: string | undefined;
}

/** What a slot plays. */
export function VliveSource({ slot, edit, problem }: VliveSourceProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { platform, files, server, secret, label, custom } = slot;
  return (
    <SourcePicker
      label={t('vlive.label')}
      help={t('vlive.sourceHelp')}
      problem={problem}
      files={files}
      onChange={(changed) => edit({ files: changed })}
      choose={async (refs) => (await client.call(vliveApi.source, { platform, files: [...refs] })).files}
      onChosen={(chosen) => {
        // Choosing makes the slot on the server, with nothing but its files; what is typed and not saved yet stays as it is.
        edit({ files: chosen, server, secret, label, custom });
        void queries.invalidateQueries({ queryKey: vliveQueries.key });
      }}
    />
  );
}
