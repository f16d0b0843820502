import { Button, SegmentedControl, Tabs } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs';
import IconTerminal2 from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs';
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';
import type { ParseKeys } from 'i18next';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Guide } from '../../components/guide/use-guide.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { PagePart } from '../../components/ui/layout/page-part.tsx';
import { useAskedPanel } from '../../components/ui/layout/use-asked-panel.ts';
import { IconDeviceDesktop } from '../../components/ui/theme/icons.ts';
import classes from './publish-ways.module.css';
import {
  BrowserWhipGuide,
  FfmpegRtmpGuide,
  FfmpegSrtGuide,
  ObsRtmpGuide,
  ObsSrtGuide,
  ObsWhipGuide,
  PhoneGuide,
} from './publishing-guides.tsx';

/** Guide by the key of its panel in the specification; the phone's is ours. */
type GuideKey = '1' | '2' | '3' | '4' | '5' | '6' | 'phone';

interface GuideDefinition {
  readonly protocol: 'RTMP' | 'SRT' | 'WebRTC';
  readonly title: ParseKeys;
  readonly help: ParseKeys;
  readonly Steps: ComponentType<{ guide: Guide }>;
}

const guides: Readonly<Record<GuideKey, GuideDefinition>> = {
  '1': { protocol: 'RTMP', title: 'live.obs.title', help: 'live.obs.help', Steps: ObsRtmpGuide },
  '2': { protocol: 'RTMP', title: 'live.ffmpeg.title', help: 'live.ffmpeg.help', Steps: FfmpegRtmpGuide },
  '3': { protocol: 'SRT', title: 'live.srt.title', help: 'live.srt.help', Steps: ObsSrtGuide },
  '4': { protocol: 'SRT', title: 'live.srt.ff', help: 'live.srt.ffHelp', Steps: FfmpegSrtGuide },
  '5': { protocol: 'WebRTC', title: 'live.rtc.title', help: 'live.rtc.help', Steps: BrowserWhipGuide },
  '6': { protocol: 'WebRTC', title: 'live.obsWhip.title', help: 'live.obsWhip.help', Steps: ObsWhipGuide },
  phone: { protocol: 'RTMP', title: 'live.phone.title', help: 'live.phone.help', Steps: PhoneGuide },
};

interface Way {
  readonly id: 'obs' | 'phone' | 'browser' | 'ffmpeg';
  readonly icon: Icon;
  /** Protocols in their order; the first is the default. */
  readonly guides: readonly [GuideKey, ...GuideKey[]];
}

const ways: readonly Way[] = [
  { id: 'obs', icon: IconDeviceDesktop, guides: ['1', '3', '6'] },
  { id: 'phone', icon: IconDeviceMobile, guides: ['phone'] },
  { id: 'browser', icon: IconVideo, guides: ['5'] },
  { id: 'ffmpeg', icon: IconTerminal2, guides: ['2', '4'] },
];

const panels = ['1', '2', '3', '4', '5', '6'] as const;

interface PublishWaysProps {
  guide: Guide;
  /** A live stream hides its ways to publish behind a button. */
  isFolded: boolean;
}

/** Choice of a program, then of a protocol, then the steps. */
export function PublishWays({ guide, isFolded }: PublishWaysProps) {
  const { t } = useTranslation();
  const asked = useAskedPanel(panels);
  const [followed, setFollowed] = useState<typeof asked>();
  const [chosen, setChosen] = useState<GuideKey>('1');
  const [isShown, setIsShown] = useState(false);
  if (asked !== followed) {
    setFollowed(asked);
    setChosen(panels.find((key) => key === asked?.key) ?? chosen);
    setIsShown(true);
  }
  const isOpen = !isFolded || isShown;
  const way = ways.find((one) => one.guides.includes(chosen)) ?? ways[0];
  return (
    <div id="publish">
      <PagePart
        title={t('live.ways.title')}
        note={!isFolded && t('live.ways.note')}
        aside={
          isFolded ? (
            <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setIsShown(!isShown)}>
              {isOpen ? t('live.ways.hide') : t('live.ways.show')}
            </Button>
          ) : (
            <TutorialButton set="live" />
          )
        }
      >
        {isOpen && (
          <Tabs
            unstyled
            value={way?.id ?? null}
            onChange={(id) => setChosen(ways.find((one) => one.id === id)?.guides[0] ?? chosen)}
          >
            <Tabs.List className={classes.ways} aria-label={t('live.ways.title')}>
              {ways.map(({ id, icon: Mark, guides: own }) => (
                <Tabs.Tab key={id} value={id} className={classes.way}>
                  <Mark size={22} stroke={1.7} aria-hidden />
                  <span className={classes.words}>
                    <span className={classes.wayTitle}>{t(`live.ways.${id}`)}</span>
                    <span className={classes.wayText}>{t(`live.ways.${id}Text`)}</span>
                    {own.every((key) => whyOff(key, guide) !== undefined) && <Obstacle guide={guide} own={own[0]} />}
                  </span>
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {ways.map(({ id, guides: own }) => (
              <Tabs.Panel key={id} value={id}>
                {id === way?.id && (
                  <GuideCard guide={guide} chosen={chosen}>
                    {own.length > 1 && (
                      <SegmentedControl
                        aria-label={t('live.ways.protocol')}
                        value={chosen}
                        onChange={(value) => setChosen(own.find((key) => key === value) ?? chosen)}
                        data={own.map((value) => ({ value, label: guides[value].protocol }))}
                      />
                    )}
                  </GuideCard>
                )}
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </PagePart>
    </div>
  );
}

interface GuideCardProps {
  guide: Guide;
  chosen: GuideKey;
  /** Choice of the protocol. */
  children: ReactNode;
}

function GuideCard({ guide, chosen, children }: GuideCardProps) {
  const { t } = useTranslation();
  const { title, help, Steps } = guides[chosen];
  return (
    <section id={`panel-${chosen}`} data-key={chosen} aria-label={t(title)} tabIndex={-1} className={classes.card}>
      <div className={classes.cardHead}>
        <div>
          <h3>{t(title)}</h3>
          <p>{t(help)}</p>
        </div>
        {children}
      </div>
      <Steps guide={guide} />
    </section>
  );
}

function whyOff(key: GuideKey, { srtOffer, rtcOffer, rtc }: Guide): ParseKeys | undefined {
  const { protocol } = guides[key];
  if (protocol === 'SRT' && srtOffer.kind === 'off') return 'live.share.off';
  if (protocol === 'WebRTC' && rtcOffer.kind === 'off') return 'live.share.off';
  return key === '5' && rtc.obstacle === 'https' ? 'live.rtc.needsHttps' : undefined;
}

function Obstacle({ guide, own }: { guide: Guide; own: GuideKey }) {
  const { t } = useTranslation();
  const why = whyOff(own, guide);
  return why === undefined ? null : <StatusLabel tone="off" word={t(why)} />;
}
