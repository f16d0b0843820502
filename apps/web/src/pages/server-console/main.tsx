import { startPage } from '../start-page.tsx';
import { ServerConsole } from './server-console.tsx';

await startPage(({ address }) => <ServerConsole page={address} />);
