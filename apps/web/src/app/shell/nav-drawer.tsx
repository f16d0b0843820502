import { Drawer, Group, SegmentedControl, Stack } from '@mantine/core';
import { locales } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { TabMark } from '../../components/ui/layout/tab-list.tsx';
import { ThemeSwitch } from '../../components/ui/theme/theme-switch.tsx';
import { useSiteTitle } from '../../features/branding/branding-queries.ts';
import { useTabMarks } from '../../features/system/overview/use-tab-marks.ts';
import type { FeatureTab } from '../../lib/feature.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { scenarioTabs, settingsTabs } from '../screens.ts';
import { languageNames, useSwitchLanguage } from './language-button.tsx';
import classes from './nav-drawer.module.css';
import { NavLinks } from './nav-links.tsx';

interface NavDrawerProps {
  isOpen: boolean;
  isSignedIn: boolean;
  onClose: () => void;
}

/** Links and switches for windows too narrow for top bar and sidebar. */
export function NavDrawer({ isOpen, isSignedIn, onClose }: NavDrawerProps) {
  const { t } = useTranslation();
  const title = useSiteTitle();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="left"
      size={300}
      title={title}
      transitionProps={{ duration: 160 }}
      closeButtonProps={{ 'aria-label': t('errs.dismiss') }}
    >
      <Stack gap="md">
        {isSignedIn && <TabLinks onFollow={onClose} />}
        {isSignedIn && (
          <nav aria-label={t('shell.main')} className={classes.main}>
            <NavLinks onFollow={onClose} isStacked />
          </nav>
        )}
        <Group gap="sm">
          <LanguageSwitch />
          <ThemeSwitch />
        </Group>
      </Stack>
    </Drawer>
  );
}

/** Tabs of the page, as the sidebar of a wide window lists them. Pages without tabs list those of the scenario. */
function TabLinks({ onFollow }: { onFollow: () => void }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { pathname, search } = useLocation();
  const page = pathname.endsWith(paths.settings) ? 'settings' : 'scenario';
  const marks = useTabMarks(page);
  const query = new URLSearchParams(search);
  const named = query.get('tab') === 'live' && query.has('stream') ? 'overview' : query.get('tab');
  const isHere = ({ id, alsoFor }: FeatureTab) =>
    pathname.endsWith(paths[page]) && named !== null && (id === named || alsoFor?.includes(named) === true);
  const tabs = page === 'settings' ? settingsTabs : scenarioTabs;
  return (
    <nav aria-label={t('shell.sections')}>
      <ul className={classes.tabs}>
        {tabs.map((tab, index) => (
          <li key={tab.id}>
            {tab.group !== tabs[index - 1]?.group && (
              <span className={tab.group ? classes.group : classes.rule} aria-hidden="true">
                {tab.group && t(tab.group)}
              </span>
            )}
            <Link
              to={localPath(`${paths[page]}?tab=${tab.id}`)}
              className={classes.tab}
              aria-current={isHere(tab) ? 'page' : undefined}
              onClick={onFollow}
            >
              <tab.icon size={20} stroke={1.7} aria-hidden />
              <span>{t(tab.title)}</span>
              <TabMark mark={marks[tab.id]} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function LanguageSwitch() {
  const { t } = useTranslation();
  const change = useSwitchLanguage();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('shell.language')}
      data={locales.map((value) => ({ value, label: languageNames[value] }))}
      value={useLocale()}
      transitionDuration={0}
      onChange={change}
    />
  );
}
