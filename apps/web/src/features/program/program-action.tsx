import { useQuery } from '@tanstack/react-query';
import { placeText, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { IconSwitchHorizontal } from '../../components/ui/theme/icons.ts';
import { findProgram, programsQuery } from './program-queries.ts';
import { ProgramSheet } from './program-sheet.tsx';
import { useInputName } from './use-program-words.ts';

/** Leads to the inputs of the stream, or sets up its program. */
export function ProgramAction({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const nameOf = useInputName();
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery(programsQuery);
  if (!data?.isAvailable) return null;
  const program = findProgram(data.programs, stream);
  const current = program?.inputs.find(({ id }) => id === program.onAir);
  const detail = !program
    ? t('streamPage.actions.off')
    : current
      ? t('program.isOnAir', { name: nameOf(current, program.inputs) })
      : t('program.nothingOnAir');
  const open = () => {
    if (!program) setIsOpen(true);
    const panel = document.getElementById('program');
    panel?.scrollIntoView({ block: 'center' });
    panel?.focus({ preventScroll: true });
  };
  return (
    <>
      <ActionTile
        icon={IconSwitchHorizontal}
        title={program ? t('program.switchInput') : t('program.backupAndSlate')}
        detail={detail}
        onPress={open}
      />
      {isOpen && <ProgramSheet key={placeText(stream)} stream={stream} onClose={() => setIsOpen(false)} />}
    </>
  );
}
