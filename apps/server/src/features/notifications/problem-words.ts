import type { Problem } from './problem.ts';

export type Language = 'en' | 'zh';

interface Words {
  readonly title: string;
  /** What it means or what to do; empty if the title says it. */
  readonly text: string;
}

type Named = Pick<Problem, 'severity' | 'count' | 'subject' | 'label' | 'cause' | 'tab'>;
type Phrase = (problem: Named) => Words;

/** Sentences about one problem. The console has more room and explains more. */
export function describeProblem(problem: Named & Pick<Problem, 'topic'>, language: Language): Words {
  return phrases[language][problem.topic](problem);
}

const backupFailures: Record<Language, Readonly<Record<string, string>>> = {
  en: {
    directory: 'The directory cannot be used.',
    disk: 'The disk is full.',
    storage: 'The storage service rejected the backup.',
  },
  zh: { directory: '无法使用备份目录。', disk: '磁盘已满。', storage: '存储服务拒绝了备份。' },
};

const nameOf = ({ label, subject }: Named) => label.trim() || subject;
const workerOf = ({ subject }: Named) => ({ srt: 'SRT', rtc: 'WebRTC' })[subject] ?? subject;

const english: Record<Problem['topic'], Phrase> = {
  guessing: ({ count }) => ({
    title: 'Failed sign-in attempts',
    text: `${count} wrong ${count === 1 ? 'password' : 'passwords'}; further attempts are slowed down.`,
  }),
  certificate: ({ count, severity }) =>
    severity === 'bad'
      ? { title: 'Certificate expired', text: 'Browsers warn every visitor.' }
      : {
          title: 'Certificate expires soon',
          text: `It expires in ${count} ${count === 1 ? 'day' : 'days'} and was not renewed.`,
        },
  'record-storage': () => ({
    title: 'Recording stopped',
    text: 'There is no space for recordings. Live streams continue.',
  }),
  'rewind-storage': () => ({
    title: 'Rewind windows were shortened',
    text: 'The disk is nearly full, so viewers cannot go back as far as set. Live streams continue.',
  }),
  output: (problem) => ({
    title: `${outputNames.en[problem.tab] ?? 'Output'} ${nameOf(problem)} ${problem.severity === 'bad' ? 'is failing' : 'keeps reconnecting'}`,
    text: outputCauses.en[problem.cause] ?? '',
  }),
  'record-failed': ({ count, subject }) => ({
    title:
      subject === ''
        ? `${count} ${count === 1 ? 'recording' : 'recordings'} could not be finished`
        : `Recording of ${subject} could not be finished`,
    text: '',
  }),
  'record-lost': ({ count, subject }) => ({
    title:
      subject === ''
        ? `${count} ${count === 1 ? 'recording has' : 'recordings have'} gaps`
        : `Recording of ${subject} has gaps`,
    text: 'The disk was full or too slow.',
  }),
  upload: ({ count }) => ({
    title: 'Uploads are failing',
    text: `${count} ${count === 1 ? 'file waits' : 'files wait'} on this server and will be tried again.`,
  }),
  callback: ({ count }) => ({
    title: 'Callbacks are not delivered',
    text: `${count > 0 ? `${count} ${count === 1 ? 'event is' : 'events are'} pending. ` : ''}While the receiver is unreachable, nobody can start publishing.`,
  }),
  'local-ai': () => ({ title: 'Built-in AI keeps failing', text: '' }),
  'ai-limit': (problem) => ({
    title: `Daily AI limit reached: ${aiNames.en[nameOf(problem)] ?? nameOf(problem)}`,
    text: 'It is paused until midnight UTC.',
  }),
  'ai-provider': ({ subject, label, count }) => ({
    title: `${label} keeps failing: ${aiNames.en[subject] ?? subject}`,
    text: `The last ${count} requests failed.`,
  }),
  worker: (problem) =>
    problem.subject === 'delivery'
      ? { title: 'A delivery process had to be restarted', text: 'Its viewers were disconnected and can reconnect.' }
      : {
          title: `${workerOf(problem)} had to be restarted`,
          text: 'Its publishers and viewers were disconnected and can reconnect.',
        },
  store: ({ cause }) =>
    cause === 'away'
      ? {
          title: 'Settings database unavailable',
          text: 'Live streams continue; settings cannot be saved and new publishers are rejected.',
        }
      : { title: 'Saved settings may be lost', text: `The setting ${cause} of the database puts them at risk.` },
  stream: ({ subject, cause }) => ({
    title: `${subject}: ${streamIssues.en[cause] ?? 'something is wrong'}`,
    text: '',
  }),
  backup: ({ cause }) => ({
    title: 'Backups are failing',
    text: `${backupFailures.en[cause] ?? ''} It is tried again after 15 minutes.`.trim(),
  }),
  program: ({ subject, label }) =>
    label === ''
      ? { title: `${subject} shows its slate`, text: 'All its inputs are lost.' }
      : { title: `${subject} is on its backup`, text: 'The better input is lost.' },
  update: ({ subject, severity }) => ({
    title: `The update to ${subject} failed`,
    text: severity === 'bad' ? 'The server is not healthy.' : 'The previous version is running.',
  }),
  server: ({ subject, cause }) => ({
    title: serverIssues.en[cause] ?? cause,
    text: cause === 'port-taken' ? subject : '',
  }),
};

const chinese: Record<Problem['topic'], Phrase> = {
  guessing: ({ count }) => ({ title: '登录失败', text: `密码错误 ${count} 次，后续尝试已被限速。` }),
  certificate: ({ count, severity }) =>
    severity === 'bad'
      ? { title: '证书已过期', text: '浏览器会警告每一位访问者。' }
      : { title: '证书即将到期', text: `还有 ${count} 天到期，尚未续期。` },
  'record-storage': () => ({ title: '录制已停止', text: '没有空间存放录制，直播不受影响。' }),
  'rewind-storage': () => ({ title: '回看时长已缩短', text: '磁盘空间不足，观众能回看的时长短于设定，直播不受影响。' }),
  output: (problem) => ({
    title: `${outputNames.zh[problem.tab] ?? '推流'}“${nameOf(problem)}”${problem.severity === 'bad' ? '失败' : '反复重连'}`,
    text: outputCauses.zh[problem.cause] ?? '',
  }),
  'record-failed': ({ count, subject }) => ({
    title: subject === '' ? `${count} 个录制未能完成处理` : `${subject} 的录制未能完成处理`,
    text: '',
  }),
  'record-lost': ({ count, subject }) => ({
    title: subject === '' ? `${count} 个录制有缺失` : `${subject} 的录制有缺失`,
    text: '磁盘已满或过慢。',
  }),
  upload: ({ count }) => ({ title: '文件上传失败', text: `${count} 个文件正在本服务器上等待，系统会自动重试。` }),
  callback: ({ count }) => ({
    title: '回调未能送达',
    text: `${count > 0 ? `${count} 个事件正在等待。` : ''}接收端无法访问时，任何人都无法开始推流。`,
  }),
  'local-ai': () => ({ title: '内置 AI 反复异常退出', text: '' }),
  'ai-limit': (problem) => ({
    title: `已达到 AI 每日用量上限：${aiNames.zh[nameOf(problem)] ?? nameOf(problem)}`,
    text: '该功能将暂停到 UTC 零点。',
  }),
  'ai-provider': ({ subject, label, count }) => ({
    title: `${label} 持续无法使用：${aiNames.zh[subject] ?? subject}`,
    text: `已连续 ${count} 次请求失败。`,
  }),
  worker: (problem) =>
    problem.subject === 'delivery'
      ? { title: '分发进程异常退出', text: '由其服务的观众已断开，可以重新连接。' }
      : { title: `${workerOf(problem)} 进程异常退出`, text: '当时的推流和观看已断开，可以重新连接。' },
  store: ({ cause }) =>
    cause === 'away'
      ? { title: '设置数据库无法访问', text: '正在进行的直播不受影响，设置无法保存，新的推流会被拒绝。' }
      : { title: '已保存的设置可能丢失', text: `原因是数据库的 ${cause} 设置。` },
  stream: ({ subject, cause }) => ({ title: `${subject}：${streamIssues.zh[cause] ?? '出现问题'}`, text: '' }),
  backup: ({ cause }) => ({ title: '备份失败', text: `${backupFailures.zh[cause] ?? ''}15 分钟后会重试。` }),
  program: ({ subject, label }) =>
    label === ''
      ? { title: `${subject} 正在显示垫片`, text: '所有信号源都已中断。' }
      : { title: `${subject} 正在使用备用信号源`, text: '优先的信号源已中断。' },
  update: ({ subject, severity }) => ({
    title: `更新到 ${subject} 失败`,
    text: severity === 'bad' ? '服务器运行异常。' : '当前运行的是原版本。',
  }),
  server: ({ subject, cause }) => ({
    title: serverIssues.zh[cause] ?? cause,
    text: cause === 'port-taken' ? subject : '',
  }),
};

const phrases: Record<Language, Record<Problem['topic'], Phrase>> = { en: english, zh: chinese };

type Terms = Record<Language, Readonly<Record<string, string>>>;

const outputNames: Terms = {
  en: { forward: 'Forwarding to', vlive: 'Virtual live to', camera: 'Camera stream to', transcode: 'Transcoding' },
  zh: { forward: '转推到', vlive: '虚拟直播到', camera: '摄像头推流到', transcode: '转码' },
};

const aiNames: Terms = {
  en: { transcript: 'Transcript', translation: 'Translation', ocr: 'OCR', rooms: 'Live rooms', dubbing: 'Dubbing' },
  zh: { transcript: '字幕', translation: '翻译', ocr: '文字识别', rooms: '直播间', dubbing: '配音' },
};

/** Causes that a person can act on. */
const outputCauses: Terms = {
  en: {
    'program-missing': 'FFmpeg is not installed on the server.',
    'key-refused': 'The destination rejected the stream key.',
    'key-in-use': 'Another publisher is using this stream name.',
    'login-refused': 'The user name or password was rejected.',
    'name-unknown': 'The host name could not be resolved.',
    'connection-refused': 'The connection was refused.',
    'connection-lost': 'The connection was lost.',
    'codec-unsupported': "The destination doesn't support this codec.",
    'disk-full': 'The disk is full.',
    'too-slow': 'It runs too slowly.',
    stalled: 'No data for 10 seconds.',
  },
  zh: {
    'program-missing': '服务器未安装 FFmpeg。',
    'key-refused': '目标拒绝了推流码。',
    'key-in-use': '该流名称已被其他推流端占用。',
    'login-refused': '用户名或密码不正确。',
    'name-unknown': '无法解析主机名。',
    'connection-refused': '连接被拒绝。',
    'connection-lost': '连接中断。',
    'codec-unsupported': '目标不支持这种编码。',
    'disk-full': '磁盘已满。',
    'too-slow': '处理速度过慢。',
    stalled: '已有 10 秒没有数据。',
  },
};

const serverIssues: Terms = {
  en: {
    'cpu-full': 'CPU nearly full',
    'memory-full': 'Memory nearly full',
    'disk-full': 'Disk full',
    'disk-filling': 'The disk will be full soon',
    'open-files': 'Too many open connections',
    'clock-wrong': 'The clock of this server is wrong',
    'engine-away': 'The media engine is not responding',
    'port-taken': 'A port is used by another program',
  },
  zh: {
    'cpu-full': 'CPU 即将耗尽',
    'memory-full': '内存即将耗尽',
    'disk-full': '磁盘已满',
    'disk-filling': '磁盘即将用满',
    'open-files': '打开的连接过多',
    'clock-wrong': '服务器时间不正确',
    'engine-away': '媒体引擎没有响应',
    'port-taken': '端口被其他程序占用',
  },
};

const streamIssues: Terms = {
  en: {
    stalled: 'no data from the publisher',
    'uplink-slow': "the publisher can't keep up",
    'uplink-full': "the publisher's network is too slow",
    'fps-low': 'frame rate too low',
    timestamps: 'timestamps jump',
    reconnects: 'the publisher keeps reconnecting',
    'publisher-loss': 'packets from the publisher get lost',
    'input-lost': 'a better input is lost',
    'video-none': 'no video',
    'audio-none': 'no audio',
    'audio-silent': 'audio is silent',
    'viewer-loss': 'packets to viewers get lost',
    'viewers-slow': "viewers can't keep up",
  },
  zh: {
    stalled: '推流端没有数据',
    'uplink-slow': '推流速度跟不上',
    'uplink-full': '推流端网络太慢',
    'fps-low': '帧率过低',
    timestamps: '时间戳跳变',
    reconnects: '推流端频繁重连',
    'publisher-loss': '推流端丢包',
    'input-lost': '优先的信号源已中断',
    'video-none': '没有视频',
    'audio-none': '没有音频',
    'audio-silent': '音频无声',
    'viewer-loss': '观众丢包',
    'viewers-slow': '观众播放跟不上',
  },
};
