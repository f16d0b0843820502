import type { Attack } from './attack.ts';
import { commandOrders } from './attacks/command-orders.ts';
import { guessesFromEverywhere } from './attacks/guesses.ts';
import { hiddenInputs } from './attacks/hidden-inputs.ts';
import { hostileFields } from './attacks/hostile-fields.ts';
import { hostileUploads } from './attacks/hostile-uploads.ts';
import { http2Floods, http2Silent } from './attacks/http/http2.ts';
import { fullMemory } from './attacks/http/memory-limit.ts';
import { silentFlv, silentSegments } from './attacks/http/never-read.ts';
import { smuggling } from './attacks/http/smuggling.ts';
import { impossibleAnswers } from './attacks/impossible-answers.ts';
import { inventedSessions } from './attacks/invented-sessions.ts';
import { keyAndPassword } from './attacks/key-and-password.ts';
import { namesThatLeadHome } from './attacks/names-that-lead-home.ts';
import { noDescriptors } from './attacks/no-descriptors.ts';
import { constantTimestamps, tinyFrames } from './attacks/one-publisher.ts';
import { playAccess } from './attacks/play-access.ts';
import { playlistSchemes } from './attacks/playlist-schemes.ts';
import { refusedPublishers } from './attacks/refused-publishers.ts';
import { roomGuests } from './attacks/rooms/room-guests.ts';
import { slowVoices } from './attacks/rooms/slow-voices.ts';
import { secretsInLogs } from './attacks/secrets-in-logs.ts';
import { setupThroughProxy } from './attacks/setup-through-proxy.ts';
import { slowBodies } from './attacks/slow-bodies.ts';
import { srtWindow } from './attacks/srt/srt-window.ts';
import { unconfirmingPlayers } from './attacks/srt/unconfirming-players.ts';
import { unencodableMetadata } from './attacks/unencodable-metadata.ts';
import { unfinishedMessages } from './attacks/unfinished-messages.ts';
import { viewerPasswords } from './attacks/viewer-passwords.ts';
import { datagramFlood } from './attacks/webrtc/datagram-flood.ts';
import { packetsInsideSrtp } from './attacks/webrtc/packets-inside-srtp.ts';
import { routeHijack } from './attacks/webrtc/route-hijack.ts';
import { unconnectedPeers } from './attacks/webrtc/unconnected-peers.ts';

export const attacks: readonly Attack[] = [
  setupThroughProxy,
  guessesFromEverywhere,
  viewerPasswords,
  keyAndPassword,
  refusedPublishers,
  hiddenInputs,
  hostileUploads,
  noDescriptors,
  hostileFields,
  playAccess,
  secretsInLogs,
  srtWindow,
  unencodableMetadata,
  impossibleAnswers,
  unfinishedMessages,
  commandOrders,
  slowBodies,
  playlistSchemes,
  constantTimestamps,
  tinyFrames,
  inventedSessions,
  unconnectedPeers,
  namesThatLeadHome,
  roomGuests,
  slowVoices,
  datagramFlood,
  routeHijack,
  unconfirmingPlayers,
  silentFlv,
  silentSegments,
  fullMemory,
  smuggling,
  http2Floods,
  http2Silent,
  packetsInsideSrtp,
];
