import type { PageCatalogue } from './pages-en.ts';
import pages from './zh/pages/pages.json';
import serverConsole from './zh/pages/server-console.json';
import whip from './zh/pages/whip.json';
import errs from './zh/shell/errs.json';
import helper from './zh/shell/helper.json';
import player from './zh/shell/player.json';
import shell from './zh/shell/shell.json';

export const catalogue: PageCatalogue = { errs, helper, pages, player, 'server-console': serverConsole, shell, whip };
