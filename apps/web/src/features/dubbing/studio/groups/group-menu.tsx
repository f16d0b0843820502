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
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={isBusy}
          aria-label={t('dubbing.group.more', { id: group.id })}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => handlers.act(group, 'rephrase')}>{t('dubbing.group.rephrase')}</Menu.Item>
        <Menu.Item onClick={() => handlers.act(group, 'speak')}>{t('dubbing.group.speak')}</Menu.Item>
        <Menu.Item onClick={() => handlers.act(group, 'again')}>{t('dubbing.group.again')}</Menu.Item>
        <Menu.Item onClick={() => handlers.split(group)}>{t('dubbing.group.split')}</Menu.Item>
        <Menu.Item disabled={isLast} onClick={() => handlers.act(group, 'mergeNext')}>
          {t('dubbing.group.mergeNext')}
        </Menu.Item>
        <Menu.Item disabled={group.id === 0} onClick={() => handlers.act(group, 'mergePrevious')}>
          {t('dubbing.group.mergePrevious')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
