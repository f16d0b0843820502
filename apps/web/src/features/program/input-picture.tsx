import { useQuery } from '@tanstack/react-query';
import { PictureFrame } from '../../components/streams/thumbnail.tsx';
import { inputPictureQuery } from './program-queries.ts';

interface InputPictureProps {
  uuid: string;
  input: string;
  /** Grey while the input sends nothing. */
  isLive: boolean;
  isEnabled?: boolean;
}

/** Last keyframe of an input, whether or not it is on air. The text beside it describes it to screen readers. */
export function InputPicture({ uuid, input, isLive, isEnabled = true }: InputPictureProps) {
  const { data } = useQuery({ ...inputPictureQuery(uuid, input), enabled: isEnabled });
  return <PictureFrame picture={data instanceof Blob ? data : undefined} isLive={isLive} />;
}
