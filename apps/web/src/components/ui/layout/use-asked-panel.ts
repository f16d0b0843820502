import { useState } from 'react';
import { useLocation } from 'react-router';

/** Panel of the specification that the address names, such as `#panel-2`: a new object each time such a link is followed. */
export function useAskedPanel(panels: readonly string[]): { readonly key: string } | undefined {
  const { hash, key } = useLocation();
  const [asked, setAsked] = useState<{ readonly key: string }>();
  const [followed, setFollowed] = useState('');
  if (followed !== key) {
    const panel = panels.find((one) => hash === `#panel-${one}`);
    setFollowed(key);
    if (panel !== undefined) setAsked({ key: panel });
  }
  return asked;
}
