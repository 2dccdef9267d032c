import { pageModels } from './page-models.ts';

/** The list of all pages, for a person who opens the server's root. */
export function indexPage(): string {
  const rows = Object.entries(pageModels).map(([name, { resources, resourceBytes }]) => {
    const bytes = resourceBytes.toLocaleString('en');
    return `<li><a href="${name}/">${name}</a>: ${resources} resources of ${bytes} bytes</li>`;
  });
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<title>Towline lab</title>',
    '<link rel="icon" href="data:,">',
    '<style>:root { color-scheme: light dark; font-family: system-ui, sans-serif; }</style>',
    '<h1>Towline lab</h1>',
    `<ul>\n${rows.join('\n')}\n</ul>`,
    '</html>\n',
  ].join('\n');
}
