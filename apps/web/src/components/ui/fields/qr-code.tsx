import { QRCodeSVG } from 'qrcode.react';
import classes from './qr-code.module.css';

const sizePixels = 200;

/** Black on white in every theme, with the quiet zone that scanners need. */
export function QrCode({ value, label }: { value: string; label: string }) {
  return <QRCodeSVG className={classes.code} value={value} size={sizePixels} level="L" marginSize={4} title={label} />;
}
