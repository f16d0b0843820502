import { QRCodeSVG } from 'qrcode.react';
import classes from './qr-code.module.css';

const sizePixels = 200;

/** For a camera: black on white in every theme, with the quiet edge that readers need. */
export function QrCode({ value, label }: { value: string; label: string }) {
  return <QRCodeSVG className={classes.code} value={value} size={sizePixels} level="L" marginSize={4} title={label} />;
}
