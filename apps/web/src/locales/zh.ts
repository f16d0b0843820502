import type { Catalogue } from './en.ts';
import camera from './zh/scenario/camera.json';
import cloud from './zh/scenario/cloud.json';
import dubbing from './zh/scenario/dubbing.json';
import forward from './zh/scenario/forward.json';
import live from './zh/scenario/live.json';
import ocr from './zh/scenario/ocr.json';
import others from './zh/scenario/others.json';
import plat from './zh/scenario/plat.json';
import record from './zh/scenario/record.json';
import rooms from './zh/scenario/rooms.json';
import segments from './zh/scenario/segments.json';
import source from './zh/scenario/source.json';
import srtTutorial from './zh/scenario/srtTutorial.json';
import streamPage from './zh/scenario/streamPage.json';
import transcode from './zh/scenario/transcode.json';
import transcript from './zh/scenario/transcript.json';
import tutorials from './zh/scenario/tutorials.json';
import vlive from './zh/scenario/vlive.json';
import ai from './zh/settings/ai.json';
import certs from './zh/settings/certs.json';
import coms from './zh/settings/coms.json';
import contact from './zh/settings/contact.json';
import hooks from './zh/settings/hooks.json';
import llm from './zh/settings/llm.json';
import openapi from './zh/settings/openapi.json';
import platform from './zh/settings/platform.json';
import settings from './zh/settings/settings.json';
import carousel from './zh/shell/carousel.json';
import charts from './zh/shell/charts.json';
import diagnose from './zh/shell/diagnose.json';
import errs from './zh/shell/errs.json';
import helper from './zh/shell/helper.json';
import login from './zh/shell/login.json';
import nav from './zh/shell/nav.json';
import overview from './zh/shell/overview.json';
import palette from './zh/shell/palette.json';
import player from './zh/shell/player.json';
import process from './zh/shell/process.json';
import setup from './zh/shell/setup.json';
import shell from './zh/shell/shell.json';
import start from './zh/shell/start.json';
import talk from './zh/shell/talk.json';
import timeline from './zh/shell/timeline.json';

export const catalogue: Catalogue = {
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
