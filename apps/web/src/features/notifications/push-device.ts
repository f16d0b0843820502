/** Why this browser can't get push messages. */
export type PushObstacle = 'insecure' | 'unsupported' | 'denied' | 'refused';

const worker = '/mgmt/sw.js';

/** Asks for permission and subscribes this browser, or says what is in the way. */
export async function subscribeDevice(pushKey: string): Promise<Record<string, string> | PushObstacle> {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return 'unsupported';
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  try {
    await navigator.serviceWorker.register(worker);
    const { pushManager } = await navigator.serviceWorker.ready;
    // A subscription for the key of an earlier installation is of no use.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
    const { endpoint = '', keys = {} } = made.toJSON();
    return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
  } catch {
    return 'refused';
  }
}
