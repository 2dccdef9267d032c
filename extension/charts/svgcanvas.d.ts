/** svgcanvas ships no types: the one class used here, a canvas's 2D context that writes SVG. */
declare module 'svgcanvas/dist/svgcanvas.esm.js' {
  export class Context {
    constructor(options: { width: number; height: number });
    /** The whole drawing so far as an SVG document. */
    getSerializedSvg(): string;
  }
}
