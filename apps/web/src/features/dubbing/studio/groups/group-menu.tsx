import { ActionIcon, Menu } from '@mantine/core';
import type { DubbingGroup } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { IconDots } from '../../../../components/ui/theme/icons.ts';
import type { GroupHandlers } from './group-card.tsx';

interface GroupMenuProps {
  group: DubbingGroup;
  handlers: GroupHandlers;
  isBusy: boolean;
  isLast: boolean;
}

/** What can be done to a sentence beside correcting it. */
export function GroupMenu({ group, handlers, isBusy, isLast }: GroupMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" withinPortal transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" disabled={isBusy} aria-label={t('dubb.group.more', { id: group.id })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => handlers.act(group, 'rephrase')}>{t('dubb.group.rephrase')}</Menu.Item>
        <Menu.Item onClick={() => handlers.act(group, 'speak')}>{t('dubb.group.speak')}</Menu.Item>
        <Menu.Item onClick={() => handlers.act(group, 'again')}>{t('dubb.group.again')}</Menu.Item>
        <Menu.Item onClick={() => handlers.split(group)}>{t('dubb.group.split')}</Menu.Item>
        <Menu.Item disabled={isLast} onClick={() => handlers.act(group, 'mergeNext')}>
          {t('dubb.group.mergeNext')}
        </Menu.Item>
        <Menu.Item disabled={group.id === 0} onClick={() => handlers.act(group, 'mergePrevious')}>
          {t('dubb.group.mergePrevious')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
