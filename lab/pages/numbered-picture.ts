import type { Picture } from './png.ts';

const width = 160;
const height = 120;

/** Digits of five columns and seven rows, a bit a point, the leftmost highest. */
const digits: readonly (readonly number[])[] = [
  [0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e],
  [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e],
  [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f],
  [0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e],
  [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
  [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e],
  [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e],
  [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
  [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e],
  [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c],
];
const digitRows = 7;
const digitColumns = 6;
const pointPixels = 6;

/** A sky between two colours that turn with the number, and the number on it. */
export function numberedPicture(number: number): Picture {
  const samples = new Uint8Array(width * height * 3);
  const [top, bottom] = [hue(number * 47), hue(number * 47 + 70)];
  const isDigit = digitMask(String(number));
  for (let y = 0; y < height; y++) {
    const share = y / (height - 1);
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const sky = (top[channel] ?? 0) * (1 - share) + (bottom[channel] ?? 0) * share;
        samples[(y * width + x) * 3 + channel] = isDigit(x, y) ? 255 : Math.round(sky);
      }
    }
  }
  return { width, height, samples };
}

/** A soft colour of the wheel at so many degrees. */
function hue(degrees: number): [number, number, number] {
  const part = (shift: number) => 150 + 70 * Math.cos(((degrees + shift) * Math.PI) / 180);
  return [part(0), part(-120), part(120)];
}

function digitMask(text: string): (x: number, y: number) => boolean {
  const left = Math.round((width - text.length * digitColumns * pointPixels + pointPixels) / 2);
  const top = Math.round((height - digitRows * pointPixels) / 2);
  return (x, y) => {
    const column = Math.floor((x - left) / pointPixels);
    const row = Math.floor((y - top) / pointPixels);
    const digit = digits[Number(text[Math.floor(column / digitColumns)])];
    const bits = digit?.[row] ?? 0;
    const bit = 4 - (column % digitColumns);
    return column >= 0 && row >= 0 && bit >= 0 && ((bits >> bit) & 1) === 1;
  };
}
