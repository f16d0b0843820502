export type TutorialMedia = 'bilibili' | 'youtube' | 'medium';

/** Topics with a text of our own. */
type TutorialTopic =
  | 'setup'
  | 'panel'
  | 'wordpress'
  | 'https'
  | 'restream'
  | 'record'
  | 'virtual'
  | 'camera'
  | 'transcode'
  | 'transcript'
  | 'alwaysOn'
  | 'loop'
  | 'whip'
  | 'hls'
  | 'talk'
  | 'dubbing'
  | 'ocr'
  | VideoTopic;

/** Topics of videos whose titles come from the video site. */
type VideoTopic = 'live' | 'srt' | 'secure' | 'cloud' | 'general';

interface Article {
  readonly media: 'youtube' | 'medium';
  readonly author: string;
  readonly title: string;
  readonly link: string;
  readonly topic: TutorialTopic;
}

export interface Video {
  readonly media: 'bilibili';
  readonly author: string;
  readonly bvid: string;
  readonly topic: VideoTopic;
}

export function videoLink({ bvid }: Video): string {
  return `https://www.bilibili.com/video/${bvid}`;
}

function post(topic: TutorialTopic, title: string, slug: string, author = 'Winlin Yang'): Article {
  return { media: 'medium', author, title, link: `https://blog.ossrs.io/${slug}`, topic };
}

function clip(topic: TutorialTopic, title: string, id: string): Article {
  return { media: 'youtube', author: 'Mr Bao', title, link: `https://youtu.be/${id}`, topic };
}

const httpsArticle = post(
  'https',
  "How to Secure Oryx with Let's Encrypt by 1-Click",
  'how-to-secure-srs-with-lets-encrypt-by-1-click-cb618777639f',
);

/** English articles in display order. */
export const articles: readonly Article[] = [
  post(
    'setup',
    'How to Setup a Video Streaming Service by 1-Click',
    'how-to-setup-a-video-streaming-service-by-1-click-e9fe6f314ac6',
  ),
  post(
    'panel',
    'How to Setup a Video Streaming Service with aaPanel',
    'how-to-setup-a-video-streaming-service-by-aapanel-9748ae754c8c',
  ),
  post(
    'wordpress',
    'How to Publish Your SRS Livestream Through WordPress',
    'publish-your-srs-livestream-through-wordpress-ec18dfae7d6f',
    'Roboin',
  ),
  httpsArticle,
  post(
    'restream',
    'Maximize Audience Engagement: Effortlessly Restream Live Content Across Multiple Platforms with Oryx',
    'maximize-your-live-streaming-reach-a-guide-to-multi-platform-streaming-38be22beec57',
  ),
  post(
    'record',
    'Effortless Live Stream Recording with Oryx: A Step-by-Step Guide to Server-Side Recording and AWS S3 Integration',
    'how-to-record-live-streaming-to-mp4-file-2aa792c35b25',
  ),
  post(
    'virtual',
    'Mastering Virtual Live Events: Harness the Power of Pre-Recorded Content for Seamless and Engaging Live Streaming Experiences',
    'virtual-live-events-revolutionizing-the-way-we-experience-entertainment-ba1895828b4f',
  ),
  post(
    'camera',
    'Easily Stream Your RTSP IP Camera to YouTube, Twitch, or Facebook',
    'easily-stream-your-rtsp-ip-camera-to-youtube-twitch-or-facebook-c078db917149',
  ),
  post(
    'transcode',
    'Efficient Live Streaming Transcoding for Reducing Bandwidth and Saving Costs',
    'efficient-live-streaming-transcoding-for-reducing-bandwidth-and-saving-costs-39bd001af02d',
  ),
  post(
    'transcript',
    'Revolutionizing Live Streams with AI Transcription: Creating Accessible, Multilingual Subtitles for Diverse Audiences',
    'revolutionizing-live-streams-with-ai-transcription-creating-accessible-multilingual-subtitles-1e902ab856bd',
  ),
  clip(
    'alwaysOn',
    '24/7 Live Stream: Easy Stream Your Camera to YouTube with DDNS & VPS - No PC or OBS Required!',
    'nNOBFRshO6Q',
  ),
  clip(
    'loop',
    'Live Stream: Simple, Budget-Friendly, No PC Needed! Ideal for Calm Media, Sleep Tunes, ASMR, Film Streaming, etc.',
    '68PIGFDGihU',
  ),
  post(
    'whip',
    'Effortlessly Create a Public Internet WHIP Service for OBS: A Comprehensive Guide to Sub-Second Streaming',
    'effortlessly-create-a-public-internet-whip-service-for-obs-a-guide-for-sub-second-streaming-bb19c2a3bb7a',
  ),
  post(
    'hls',
    'Unlock Universal Ultra-Low Latency: Achieving 5-Second HLS Live Streams for All, No Special Equipment Needed',
    'unlock-universal-ultra-low-latency-achieving-5-second-hls-live-streams-for-all-no-special-gear-b3011e390e38',
  ),
  post(
    'talk',
    'Speak to the Future: Transform Your Browser into a Personal Voice-Driven GPT AI Assistant with Oryx',
    'transform-your-browser-into-a-personal-voice-driven-gpt-ai-assistant-with-srs-stack-13e28adf1e18',
  ),
  post(
    'dubbing',
    'Revolutionize Video Content with Oryx: Effortless Dubbing and Translating to Multiple Languages Using OpenAI',
    'expand-your-global-reach-with-srs-stack-effortless-video-translation-and-dubbing-solutions-544e1db671c2',
  ),
  post(
    'ocr',
    'Leveraging OpenAI for OCR and Object Recognition in Video Streams using Oryx',
    'leveraging-openai-for-ocr-and-object-recognition-in-video-streams-using-oryx-e4d575d0ca1f',
  ),
];

const video = (bvid: string, author: string, topic: VideoTopic): Video => ({ media: 'bilibili', bvid, author, topic });

/** Chinese videos, shown by views. */
export const videos: readonly Video[] = [
  video('BV1844y1L7dL', 'SRS', 'general'),
  video('BV1RS4y1G7tb', '徐光磊', 'live'),
  video('BV1tZ4y1R7qp', '程晓龙', 'secure'),
  video('BV1Nb4y1t7ij', 'SRS', 'live'),
  video('BV16r4y1q7ZT', '王大江', 'live'),
  video('BV1c341177e7', '马景瑞', 'srt'),
  video('BV1gT4y1U76d', '周亮', 'live'),
  video('BV1aS4y1G7iG', '崔国栋', 'srt'),
  video('BV1KY411V7uc', 'SRS', 'general'),
  video('BV14S4y1k7gr', '唐为', 'cloud'),
  video('BV1cq4y1e7Au', 'SRS', 'general'),
  video('BV1G3411d7Gb', '宝哥', 'general'),
];

/** Tutorials per screen. */
export type TutorialSet = 'all' | 'live' | 'srt' | 'https' | 'cloud';

const videoIds: Record<Exclude<TutorialSet, 'all'>, readonly string[]> = {
  live: ['BV1RS4y1G7tb', 'BV1Nb4y1t7ij', 'BV16r4y1q7ZT', 'BV1gT4y1U76d'],
  srt: ['BV1aS4y1G7iG', 'BV1c341177e7', 'BV1Nb4y1t7ij', 'BV16r4y1q7ZT'],
  https: ['BV1tZ4y1R7qp'],
  cloud: ['BV14S4y1k7gr'],
};

export function selectArticles(set: TutorialSet): readonly Article[] {
  if (set === 'all') return articles;
  return set === 'https' ? [httpsArticle] : [];
}

export function selectVideos(set: TutorialSet): readonly Video[] {
  return set === 'all' ? videos : videos.filter(({ bvid }) => videoIds[set].includes(bvid));
}
