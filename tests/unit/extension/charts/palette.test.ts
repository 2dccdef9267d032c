import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { currentPalette, translucent } from '../../../../extension/charts/palette.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

function paletteOf(scheme: 'light' | 'dark') {
  vi.stubGlobal('matchMedia', () => ({ matches: scheme === 'dark' }));
  return currentPalette();
}

/** Relative luminance and contrast ratio: WCAG 2.2, "contrast ratio". */
function contrast(a: string, b: string): number {
  const luminance = (hex: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s palette', (scheme) => {
  const palette = paletteOf(scheme);

  it('shows every protocol at 3:1 or more against its surface', () => {
    for (const color of Object.values(palette.arms)) {
      expect(contrast(color, palette.surface)).toBeGreaterThanOrEqual(3);
    }
  });

  it('writes at 4.5:1 or more', () => {
    for (const color of [palette.ink, palette.muted]) {
      expect(contrast(color, palette.surface)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('is the one of the style sheet', () => {
    const css = readFileSync(new URL('../../../../extension/charts/base.css', import.meta.url), 'utf8');
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
    const rules = scheme === 'light' ? light : dark;
    const { ink, muted, line, surface, arms } = palette;
    for (const [name, color] of Object.entries({ ink, muted, line, surface, ...arms })) {
      expect(rules).toContain(`--${name}: ${color};`);
    }
  });
});

it('makes a colour see-through as CSS Color 4 writes it', () => {
  expect(translucent('#c45500', 0.5)).toBe('#c4550080');
  expect(translucent('#c45500', 0)).toBe('#c4550000');
});
