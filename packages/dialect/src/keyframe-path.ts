/** Where the control plane asks the engine for the last keyframe of a stream, as an MP4 of that one picture. */
export const keyframePath = '/weir/v1/keyframe';
