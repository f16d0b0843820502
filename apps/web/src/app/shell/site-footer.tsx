import { useQuery } from '@tanstack/react-query';
import { product } from '@weir/contract';
import { brandingQuery } from '../../features/branding/branding-queries.ts';
import { versionQuery } from '../../lib/queries/system-queries.ts';
import classes from './site-footer.module.css';

/** Where Chinese sites have to point from their registration number. A plain link; nothing is asked of it. */
const registry = 'https://beian.miit.gov.cn';

export function SiteFooter() {
  const version = useQuery(versionQuery).data?.version;
  const icp = useQuery(brandingQuery).data?.icp;
  return (
    <footer className={classes.footer}>
      <span>
        {product.name} {version}
      </span>
      {icp && (
        <a href={registry} target="_blank" rel="noopener noreferrer">
          {icp}
        </a>
      )}
    </footer>
  );
}
