import type { Catalogue } from './en.ts';
import camera from './zh/camera.json';
import carousel from './zh/carousel.json';
import certs from './zh/certs.json';
import cloud from './zh/cloud.json';
import coms from './zh/coms.json';
import contact from './zh/contact.json';
import errs from './zh/errs.json';
import forward from './zh/forward.json';
import helper from './zh/helper.json';
import hooks from './zh/hooks.json';
import live from './zh/live.json';
import llm from './zh/llm.json';
import login from './zh/login.json';
import nav from './zh/nav.json';
import openapi from './zh/openapi.json';
import others from './zh/others.json';
import overview from './zh/overview.json';
import plat from './zh/plat.json';
import platform from './zh/platform.json';
import player from './zh/player.json';
import popout from './zh/popout.json';
import process from './zh/process.json';
import record from './zh/record.json';
import settings from './zh/settings.json';
import setup from './zh/setup.json';
import shell from './zh/shell.json';
import source from './zh/source.json';
import srtTutorial from './zh/srtTutorial.json';
import start from './zh/start.json';
import transcode from './zh/transcode.json';
import tutorials from './zh/tutorials.json';
import vlive from './zh/vlive.json';

export const catalogue: Catalogue = {
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
