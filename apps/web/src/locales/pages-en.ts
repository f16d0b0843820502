import pages from './en/pages/pages.json';
import serverConsole from './en/pages/server-console.json';
import whip from './en/pages/whip.json';
import errs from './en/shell/errs.json';
import helper from './en/shell/helper.json';
import player from './en/shell/player.json';
import shell from './en/shell/shell.json';

/** Every text of the pages outside the console, by key. */
export const catalogue = { errs, helper, pages, player, 'server-console': serverConsole, shell, whip };
export type PageCatalogue = typeof catalogue;
