import camera from './en/scenario/camera.json';
import cloud from './en/scenario/cloud.json';
import dubbing from './en/scenario/dubbing.json';
import forward from './en/scenario/forward.json';
import live from './en/scenario/live.json';
import ocr from './en/scenario/ocr.json';
import others from './en/scenario/others.json';
import plat from './en/scenario/plat.json';
import record from './en/scenario/record.json';
import rooms from './en/scenario/rooms.json';
import segments from './en/scenario/segments.json';
import source from './en/scenario/source.json';
import srtTutorial from './en/scenario/srtTutorial.json';
import streamPage from './en/scenario/streamPage.json';
import transcode from './en/scenario/transcode.json';
import transcript from './en/scenario/transcript.json';
import tutorials from './en/scenario/tutorials.json';
import vlive from './en/scenario/vlive.json';
import ai from './en/settings/ai.json';
import certs from './en/settings/certs.json';
import coms from './en/settings/coms.json';
import contact from './en/settings/contact.json';
import hooks from './en/settings/hooks.json';
import llm from './en/settings/llm.json';
import openapi from './en/settings/openapi.json';
import platform from './en/settings/platform.json';
import settings from './en/settings/settings.json';
import carousel from './en/shell/carousel.json';
import charts from './en/shell/charts.json';
import diagnose from './en/shell/diagnose.json';
import errs from './en/shell/errs.json';
import helper from './en/shell/helper.json';
import login from './en/shell/login.json';
import nav from './en/shell/nav.json';
import overview from './en/shell/overview.json';
import palette from './en/shell/palette.json';
import player from './en/shell/player.json';
import process from './en/shell/process.json';
import setup from './en/shell/setup.json';
import shell from './en/shell/shell.json';
import start from './en/shell/start.json';
import talk from './en/shell/talk.json';
import timeline from './en/shell/timeline.json';

/** Every text of the console, by key. The file name is the first part of the key. */
export const catalogue = {
  ai,
  camera,
  carousel,
  certs,
  charts,
  cloud,
  coms,
  contact,
  dubbing,
  diagnose,
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
  palette,
  player,
  process,
  settings,
  setup,
  shell,
  source,
  rooms,
  segments,
  ocr,
  transcode,
  transcript,
  vlive,
  record,
  srtTutorial,
  start,
  streamPage,
  talk,
  timeline,
  tutorials,
};
export type Catalogue = typeof catalogue;
