import type { Catalogue } from './en.ts';
import carousel from './zh/carousel.json';
import certs from './zh/certs.json';
import cloud from './zh/cloud.json';
import coms from './zh/coms.json';
import contact from './zh/contact.json';
import errs from './zh/errs.json';
import helper from './zh/helper.json';
import hooks from './zh/hooks.json';
import live from './zh/live.json';
import llm from './zh/llm.json';
import login from './zh/login.json';
import nav from './zh/nav.json';
import openapi from './zh/openapi.json';
import others from './zh/others.json';
import overview from './zh/overview.json';
import platform from './zh/platform.json';
import player from './zh/player.json';
import popout from './zh/popout.json';
import record from './zh/record.json';
import settings from './zh/settings.json';
import setup from './zh/setup.json';
import shell from './zh/shell.json';
import srtTutorial from './zh/srtTutorial.json';
import tutorials from './zh/tutorials.json';

export const catalogue: Catalogue = {
  carousel,
  certs,
  cloud,
  coms,
  contact,
  errs,
  helper,
  hooks,
  live,
  llm,
  login,
  nav,
  openapi,
  others,
  overview,
  platform,
  player,
  popout,
  record,
  settings,
  setup,
  shell,
  srtTutorial,
  tutorials,
};
