import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { screens } from '../screens.ts';
import { useLastQuery } from '../visited-screens.ts';
import classes from './nav-links.module.css';

export function NavLinks({ onFollow, isStacked = false }: { onFollow?: () => void; isStacked?: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const localPath = useLocalPath();
  const leftQuery = useLastQuery();
  return (
    <ul className={classes.list} data-stacked={isStacked || undefined}>
      {screens.map(({ id, title }) => {
        if (id === 'setup' || title === undefined) return null;
        const isHere = pathname.endsWith(paths[id]);
        return (
          <li key={id}>
            <Link
              // Restores the last state of another screen; the current screen's link resets it.
              to={localPath(paths[id]) + (isHere ? '' : leftQuery(id))}
              className={classes.link}
              aria-current={isHere ? 'page' : undefined}
              {...(onFollow && { onClick: onFollow })}
            >
              {t(title)}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
