import { useSearchParams } from 'react-router';
import { ProjectPage } from './project-page.tsx';
import { ProjectsPage } from './projects-page.tsx';

/** Dubbing projects, or the one that the address names. */
export function DubbingTab() {
  const [query, setQuery] = useSearchParams();
  const uuid = query.get('dubbingId');
  const open = (next: string) => setQuery((before) => withProject(before, next));
  const leave = () => setQuery((before) => withProject(before, undefined));
  return uuid ? <ProjectPage key={uuid} uuid={uuid} onBack={leave} /> : <ProjectsPage onOpen={open} />;
}

/** Only its own parameter changes. */
function withProject(query: URLSearchParams, uuid: string | undefined): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete('dubbingId');
  if (uuid !== undefined) next.set('dubbingId', uuid);
  return next;
}
