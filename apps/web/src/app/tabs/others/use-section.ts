import { useState } from 'react';
import { useSearchParams } from 'react-router';

/** Which section a child tab opens at: the one the address names, else its introduction. */
export function useSection(sections: Readonly<Record<string, string>>): string {
  const [query] = useSearchParams();
  const named = sections[query.get('ctab') ?? ''];
  // While another tab is shown the address names none of ours; what is open then stays.
  const [last, setLast] = useState(named ?? '0');
  if (named !== undefined && named !== last) setLast(named);
  return named ?? last;
}
