/** Sample streams, drawn by ffmpeg: video, audio and the number of their viewers. */
export const scenes = [
  {
    name: 'studio',
    size: '1280x720',
    kbps: 2500,
    viewers: 24,
    video:
      'gradients=s=320x180:r=30:c0=0x0e5c6d:c1=0x7ec7d3:c2=0x1b2a4a:c3=0xd98a12:n=4:speed=0.012,scale=1280:720:flags=bicubic',
    audio:
      'aevalsrc=0.12*sin(220*2*PI*t)*(1+sin(0.5*PI*t))+0.1*sin(277.2*2*PI*t)+0.08*sin(329.6*2*PI*t)*(1+sin(PI*t/3))',
  },
  {
    name: 'reef',
    size: '854x480',
    kbps: 1500,
    viewers: 9,
    video:
      'life=s=214x120:mold=12:r=25:ratio=0.12:death_color=0x0b2740:life_color=0x7ee0d0:mold_color=0x12406a,scale=854:480:flags=bilinear,gblur=2',
    audio: 'anoisesrc=c=brown:a=0.25,lowpass=f=500,tremolo=f=0.2:d=0.7',
  },
  {
    name: 'concert',
    size: '854x480',
    kbps: 1500,
    viewers: 14,
    // The video shows the audio.
    audio:
      // The left channel is the bass, the right one the melody; the video has a color for each.
      'aevalsrc=0.3*sin(2*PI*t*(110*pow(2\\,floor(mod(2*t\\,8))/12)))*exp(-3*mod(t\\,0.5))|0.2*sin(2*PI*t*(440*pow(2\\,floor(mod(4*t\\,5))*3/12)))*exp(-6*mod(t\\,0.25)):c=stereo',
    picture: 'showcqt=s=854x480:fps=25:bar_g=4:sono_h=200:axis=0',
  },
];

const seconds = 24;

/** Encodes a scene once; it is then published in a loop without an encoder. */
export function sceneArgs({ video, audio, picture, kbps }, file) {
  const inputs = video
    ? ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', audio, '-map', '0:v', '-map', '1:a']
    : [
        '-f',
        'lavfi',
        '-i',
        audio,
        '-filter_complex',
        `[0:a]asplit[a][b];[b]${picture}[v]`,
        '-map',
        '[v]',
        '-map',
        '[a]',
      ];
  return [
    '-v',
    'error',
    '-y',
    ...inputs,
    '-t',
    String(seconds),
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '0', '-g', '50', '-keyint_min', '50'],
    ...['-sc_threshold', '0', '-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`],
    ...['-c:a', 'aac', '-ac', '2', '-ar', '48000', '-b:a', '96k', '-movflags', '+faststart', file],
  ];
}
