import { startPage } from '../start-page.tsx';
import { WhepPage } from './whep-page.tsx';

await startPage(({ name, address }) => <WhepPage name={name} address={address} />);
