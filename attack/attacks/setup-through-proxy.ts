import { Nginx } from '../../tests/nginx.fixture.ts';
import { Weir } from '../../tests/weir.fixture.ts';
import { type Attack, holds } from '../attack.ts';

const settings = ['', 'proxy_http_version 1.1;', 'proxy_set_header Host localhost;'];

async function setUpThrough(weir: Weir, more: string): Promise<number> {
  const nginx = await Nginx.start(weir.httpPort, more);
  try {
    const body = JSON.stringify({ password: 'of somebody else' });
    const { status } = await fetch(`${nginx.origin}/terraform/v1/mgmt/init`, { method: 'POST', body });
    return status;
  } finally {
    await nginx.close();
  }
}

export const setupThroughProxy: Attack = {
  id: 'S01',
  title: "setup without the code, through an nginx that doesn't forward the client's address",
  growthMb: 60,
  async run() {
    const weir = await Weir.start();
    try {
      for (const more of settings) {
        const status = await setUpThrough(weir, more);
        holds(status === 403, `set-up by ${more || 'plain proxy_pass'} is answered ${status}`);
      }
    } finally {
      await weir.close();
    }
    return `${settings.length} configurations refused`;
  },
};
