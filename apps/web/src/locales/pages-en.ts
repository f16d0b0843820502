import errs from './en/errs.json';
import helper from './en/helper.json';
import pages from './en/pages.json';
import player from './en/player.json';
import serverConsole from './en/server-console.json';
import shell from './en/shell.json';
import whip from './en/whip.json';

/** Every text of the pages outside the console, by key. */
export const catalogue = { errs, helper, pages, player, 'server-console': serverConsole, shell, whip };
export type PageCatalogue = typeof catalogue;
