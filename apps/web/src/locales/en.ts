import camera from './en/camera.json';
import carousel from './en/carousel.json';
import certs from './en/certs.json';
import cloud from './en/cloud.json';
import coms from './en/coms.json';
import contact from './en/contact.json';
import errs from './en/errs.json';
import forward from './en/forward.json';
import helper from './en/helper.json';
import hooks from './en/hooks.json';
import live from './en/live.json';
import llm from './en/llm.json';
import login from './en/login.json';
import nav from './en/nav.json';
import openapi from './en/openapi.json';
import others from './en/others.json';
import overview from './en/overview.json';
import plat from './en/plat.json';
import platform from './en/platform.json';
import player from './en/player.json';
import popout from './en/popout.json';
import process from './en/process.json';
import record from './en/record.json';
import settings from './en/settings.json';
import setup from './en/setup.json';
import shell from './en/shell.json';
import source from './en/source.json';
import srtTutorial from './en/srtTutorial.json';
import start from './en/start.json';
import transcode from './en/transcode.json';
import tutorials from './en/tutorials.json';
import vlive from './en/vlive.json';

/** Every text of the console, by key. The file name is the first part of the key. */
export const catalogue = {
  camera,
  carousel,
  certs,
  cloud,
  coms,
  contact,
  errs,
  forward,
  helper,
  hooks,
  live,
  llm,
  login,
  nav,
  openapi,
  others,
  overview,
  plat,
  platform,
  player,
  popout,
  process,
  settings,
  setup,
  shell,
  source,
  transcode,
  vlive,
  record,
  srtTutorial,
  start,
  tutorials,
};
export type Catalogue = typeof catalogue;
