import { Text } from '@mantine/core';
import { type HookEvent, hookEvents } from '@weir/contract';
import { defaultVhost } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import { JsonText } from '../../components/ui/facts/json-text.tsx';
import classes from './hook-events.module.css';

const common = { request_id: '3ab26a09-59b0-42f7-98e3-a281c7d0712b', opaque: '…' };
const place = { vhost: defaultVhost, app: 'live', stream: 'livestream' };
const uuid = '824b96f9-8d51-4046-ba1e-a9aec7d57c95';

const samples: Record<HookEvent, object> = {
  on_publish: { ...place, param: '?secret=***&user=ann' },
  on_unpublish: place,
  on_record_begin: { ...place, uuid },
  on_record_end: {
    ...place,
    uuid,
    artifact_code: 0,
    artifact_path: `/data/record/${uuid}/index.mp4`,
    artifact_url: `https://example.com/terraform/v1/hooks/record/hls/${uuid}/index.mp4`,
  },
  on_ocr: {
    ...place,
    uuid,
    prompt: 'What is in the picture?',
    result: 'A clock',
    tsid: `7-image-${uuid}`,
    seqno: 7,
    time: '2026-01-01T12:00:00.000Z',
    image_url: `https://example.com/terraform/v1/ai/ocr/image/7-image-${uuid}.jpg?token=…`,
  },
};

/** Each event, when it is sent and its body. */
export function HookEvents() {
  const { t } = useTranslation();
  return (
    <div className={classes.events}>
      <Text size="sm" fw={600}>
        {t('hooks.event.title')}
      </Text>
      {hookEvents.map((action) => (
        <details key={action} id={`http-callback-${action}`}>
          <summary>
            <code>{action}</code>: {t(`hooks.event.${action}`)}
          </summary>
          <JsonText label={action} text={JSON.stringify({ ...common, action, ...samples[action] })} />
        </details>
      ))}
    </div>
  );
}
