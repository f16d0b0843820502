import type { PageCatalogue } from './pages-en.ts';
import errs from './zh/errs.json';
import helper from './zh/helper.json';
import pages from './zh/pages.json';
import player from './zh/player.json';
import serverConsole from './zh/server-console.json';
import shell from './zh/shell.json';
import whip from './zh/whip.json';

export const catalogue: PageCatalogue = { errs, helper, pages, player, 'server-console': serverConsole, shell, whip };
