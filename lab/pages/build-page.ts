import { numberedPicture } from './numbered-picture.ts';
import { pageModels, type PageModel, type PageName } from './page-models.ts';
import { encodePng } from './png.ts';

/** One file of a page: its name within the page's directory, and its bytes. */
export interface PageFile {
  name: string;
  body: Buffer;
}

/**
 * All files of a page, the document `index.html` first. The same arguments always give the same bytes. Everything is
 * named in the document and loaded without delay, so that the load event waits for all of it; the icon is given
 * in the document, or browsers would ask for one.
 *
 * @param servers where each server has the page's directory, as it stands before a file's name in the document: ''
 *   for the document's own server, which is the first, and `//name/page/` for another. The files are dealt over
 *   them in turn, as the document names them; the document is the first card.
 */
export function buildPage(page: PageName, servers: readonly string[] = ['']): PageFile[] {
  const model = pageModels[page];
  const styles = numbers(model.styles).map((n) => ({ name: `style-${n}.css`, text: styleSheet(n) }));
  const scripts = numbers(model.scripts).map((n) => ({ name: `script-${n}.js`, text: script(n) }));
  const pictures = numbers(imageCount(model)).map((n) => ({
    name: `picture-${n}.png`,
    picture: numberedPicture(n),
  }));
  const html = document(
    page,
    model,
    dealt(
      servers,
      [styles, pictures, scripts].map((files) => files.map(({ name }) => name)),
    ),
  );
  return [
    { name: 'index.html', body: padText(html, '<!--', '-->\n', model.resourceBytes) },
    ...[...styles, ...scripts].map(({ name, text }) => ({
      name,
      body: padText(text, '/*', '*/\n', model.resourceBytes),
    })),
    ...pictures.map(({ name, picture }) => ({ name, body: encodePng(picture, model.resourceBytes) })),
  ];
}

/** Puts before each name the server it is on; the document has had the first. */
function dealt(servers: readonly string[], names: readonly (readonly string[])[]): string[][] {
  let card = 0;
  return names.map((list) => list.map((name) => `${servers[++card % servers.length] ?? ''}${name}`));
}

function imageCount(model: PageModel): number {
  return model.resources - 1 - model.styles - model.scripts;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Fills up to so many bytes with a comment at the end. @throws RangeError when the text is longer than that */
function padText(text: string, open: string, close: string, bytes: number): Buffer {
  const fill = bytes - Buffer.byteLength(text) - open.length - close.length;
  if (fill < 0) throw new RangeError(`This text takes ${Buffer.byteLength(text)} of ${bytes} bytes.`);
  const filler = 'Towline lab. '.repeat(fill / 13 + 1).slice(0, fill);
  return Buffer.from(text + open + filler + close);
}

function document(
  page: string,
  model: PageModel,
  [styles = [], pictures = [], scripts = []]: string[][],
): string {
  const bytes = (model.resources * model.resourceBytes).toLocaleString('en');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>Towline lab: ${page}</title>`,
    '<link rel="icon" href="data:,">',
    ...styles.map((name) => `<link rel="stylesheet" href="${name}">`),
    `<h1>${page}</h1>`,
    `<p>${model.resources} resources of ${model.resourceBytes.toLocaleString('en')} bytes, ${bytes} in all.`,
    '<main>',
    ...pictures.map((name) => `<img src="${name}" width="160" height="120" alt="">`),
    '</main>',
    ...scripts.map((name) => `<script src="${name}"></script>`),
    '</html>\n',
  ].join('\n');
}

function styleSheet(number: number): string {
  if (number > 1) return `:root { --sheet-${number}: loaded; }\n`;
  return [
    ':root { color-scheme: light dark; font-family: system-ui, sans-serif; }',
    'body { margin: 2rem auto; max-width: 64rem; }',
    'main { display: grid; grid-template-columns: repeat(auto-fill, 160px); gap: 0.75rem; }',
    'img { border-radius: 0.5rem; }\n',
  ].join('\n');
}

/** Leaves a mark by which a test, or a person at the console, sees that it ran. */
function script(number: number): string {
  return `document.documentElement.dataset.script${number} = 'ran';\n`;
}
