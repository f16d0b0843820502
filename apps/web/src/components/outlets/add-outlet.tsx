import { Button, Menu } from '@mantine/core';
import { isNamedPlatform, type Outlet } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { IconPlus } from '../ui/theme/icons.ts';
import { usePlatformTexts } from './destination/platforms.ts';
import type { SlotView } from './slots.ts';

interface AddOutletProps {
  unused: readonly SlotView<Outlet>[];
  /** The name that a numbered slot has at first. */
  slotName: (number: number) => string;
  onAdd: (key: string) => void;
}

/** Slots that nobody has set up, behind one button. */
export function AddOutlet({ unused, slotName, onAdd }: AddOutletProps) {
  const { t } = useTranslation();
  const textsOf = usePlatformTexts();
  if (unused.length === 0) return null;
  return (
    <div>
      <Menu position="bottom-start" transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('plat.com.add')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {unused.map(({ key, platform, number }) => (
            <Menu.Item key={key} onClick={() => onAdd(key)}>
              {isNamedPlatform(platform) ? textsOf(platform)?.title : t('plat.com.addOwn', { slot: slotName(number) })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
