import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { paths, useLocalPath } from '../paths.ts';
import classes from './nav-links.module.css';

const links = [
  { path: paths.scenario, label: 'nav.scenario' },
  { path: paths.settings, label: 'nav.system' },
  { path: paths.components, label: 'nav.component' },
  { path: paths.contact, label: 'nav.contact' },
  { path: paths.logout, label: 'nav.logout' },
] as const;

export function NavLinks({ onFollow, isStacked = false }: { onFollow?: () => void; isStacked?: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const localPath = useLocalPath();
  return (
    <ul className={classes.list} data-stacked={isStacked || undefined}>
      {links.map(({ path, label }) => (
        <li key={path}>
          <Link
            to={localPath(path)}
            className={classes.link}
            aria-current={pathname.endsWith(path) ? 'page' : undefined}
            {...(onFollow && { onClick: onFollow })}
          >
            {t(label)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
