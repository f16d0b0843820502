// Runs for the installed console and for devices that get push messages. It keeps nothing of the console but the page that says the server is away.
const offline = '/mgmt/offline.html';
const kept = 'offline-1';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll([offline, '/mgmt/favicon.svg'])));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// Only pages: whatever else fails is shown by the console itself.
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match(offline)));
});

self.addEventListener('push', (event) => {
  const { title = 'Weir', body = '', link = '/mgmt/' } = event.data?.json() ?? {};
  const icons = { icon: '/mgmt/icon-192.png', badge: '/mgmt/icon-192.png' };
  event.waitUntil(self.registration.showNotification(title, { body, ...icons, data: { link } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { link } = event.notification.data;
  // A message may name another address of the same server; only its page counts.
  const { pathname, search } = new URL(link, self.location.origin);
  event.waitUntil(self.clients.openWindow(pathname.startsWith('/mgmt/') ? pathname + search : '/mgmt/'));
});
