import { Anchor } from '@mantine/core';
import { isContactLink } from '@weir/contract';
import type { ReactNode } from 'react';
import { IconExternalLink } from '../../components/ui/theme/icons.ts';

/** A link to another site: it opens apart, and tells that site nothing about this one. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  if (!isContactLink(href)) return null;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" fw={600}>
      {children} <IconExternalLink size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
    </Anchor>
  );
}
