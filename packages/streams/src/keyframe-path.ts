/** Engine's path for the last keyframe of a stream, as an MP4 with that one frame. */
export const keyframePath = '/weir/v1/keyframe';
