import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { useLastQuery } from '../visited-screens.ts';
import classes from './nav-links.module.css';

const links = [
  { screen: 'scenario', label: 'nav.scenario' },
  { screen: 'settings', label: 'nav.system' },
  { screen: 'components', label: 'nav.component' },
  { screen: 'contact', label: 'nav.contact' },
  { screen: 'logout', label: 'nav.logout' },
] as const;

export function NavLinks({ onFollow, isStacked = false }: { onFollow?: () => void; isStacked?: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const localPath = useLocalPath();
  const leftQuery = useLastQuery();
  return (
    <ul className={classes.list} data-stacked={isStacked || undefined}>
      {links.map(({ screen, label }) => {
        const isHere = pathname.endsWith(paths[screen]);
        return (
          <li key={screen}>
            <Link
              // Restores the last state of another screen; the current screen's link resets it.
              to={localPath(paths[screen]) + (isHere ? '' : leftQuery(screen))}
              className={classes.link}
              aria-current={isHere ? 'page' : undefined}
              {...(onFollow && { onClick: onFollow })}
            >
              {t(label)}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
