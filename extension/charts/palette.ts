import type { Arm } from '../../shared/record/arm.ts';
import type { Phases } from '../../shared/record/trial.ts';
import type { Waits } from '../../shared/record/wire.ts';

/** Colours of one scheme, for canvas; the same values stand in options.css and popup.css. */
export interface Palette {
  arms: Record<Arm, string>;
  phases: Record<keyof Phases, string>;
  waits: Record<keyof Waits, string>;
  ink: string;
  muted: string;
  line: string;
  surface: string;
}

/**
 * One colour per protocol everywhere, after Okabe and Ito's set for every kind of colour vision
 * (https://jfly.uni-koeln.de/color/), each at least 3:1 against its surface. No chart relies on colour
 * alone: {@link pointStyles} differ too. Phases differ in lightness from their neighbours: blues for
 * connecting, gold for waiting; causes of waiting take after them, with reds for what was lost.
 */
const light: Palette = {
  arms: { h1: '#c45500', h2: '#0072b2', h3: '#008a64', auto: '#a34d80' },
  phases: {
    blockedMs: '#d5dbe0',
    dnsMs: '#101f38',
    connectMs: '#2b4674',
    tlsMs: '#6079ad',
    sendMs: '#8a5a83',
    waitMs: '#d8b23c',
    receiveMs: '#86aabd',
  },
  waits: {
    connectionMs: '#2b4674',
    browserMs: '#d5dbe0',
    serverMs: '#d8b23c',
    behindStreamsMs: '#86aabd',
    otherLossMs: '#8c1f19',
    ownLossMs: '#e39a8f',
  },
  ink: '#14212b',
  muted: '#566573',
  line: '#dde3e8',
  surface: '#ffffff',
};

const dark: Palette = {
  arms: { h1: '#f08c42', h2: '#56b4e9', h3: '#2fc79a', auto: '#dd92bb' },
  phases: {
    blockedMs: '#3b4750',
    dnsMs: '#dbe6f5',
    connectMs: '#5b84cf',
    tlsMs: '#8fa9dc',
    sendMs: '#c58ebb',
    waitMs: '#e2c25a',
    receiveMs: '#5f8599',
  },
  waits: {
    connectionMs: '#5b84cf',
    browserMs: '#3b4750',
    serverMs: '#e2c25a',
    behindStreamsMs: '#5f8599',
    otherLossMs: '#ff9d94',
    ownLossMs: '#93423b',
  },
  ink: '#e8eef2',
  muted: '#9fb0bc',
  line: '#2b3841',
  surface: '#172027',
};

/** The palette of the scheme the reader prefers now. */
export function currentPalette(): Palette {
  return matchMedia('(prefers-color-scheme: dark)').matches ? dark : light;
}

/** Marks that tell the arms apart without colour. */
export const pointStyles = {
  h1: 'circle',
  h2: 'rectRot',
  h3: 'triangle',
  auto: 'rect',
} as const satisfies Record<Arm, string>;

/** `#rrggbb` made see-through; `alpha` 0..1. */
export function translucent(color: string, alpha: number): string {
  return `${color}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
}
