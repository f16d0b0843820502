import { type Attack, holds } from '../attack.ts';

export const keyAndPassword: Attack = {
  id: 'S10',
  title: 'requesting the private key, and setting a password that is too short',
  growthMb: 60,
  async run({ live }) {
    const cert = await live.post('/terraform/v1/mgmt/cert/query');
    holds(!JSON.stringify(cert.data).includes('PRIVATE KEY'), 'cert/query gives the private key out');
    const short = await live.post('/terraform/v1/mgmt/password/update', {
      password: 'the password',
      newPassword: '1234567',
    });
    holds(short.status !== 200, 'a password of seven characters is accepted');
    return 'key not returned, password rejected';
  },
};
