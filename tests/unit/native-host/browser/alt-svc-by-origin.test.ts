import { expect, it } from 'vitest';
import { altSvcByOrigin } from '../../../../native-host/browser/alt-svc-by-origin.ts';

it('keeps the last header of each https origin, whatever its case', () => {
  const found = altSvcByOrigin([
    { url: 'https://a.test/', headers: [['Alt-Svc', 'h3=":443"']] },
    { url: 'https://a.test/x', headers: [['alt-svc', 'clear']] },
    { url: 'https://b.test:8443/', headers: [['content-type', 'text/html']] },
    { url: 'http://c.test/', headers: [['alt-svc', 'h3=":443"']] },
  ]);
  expect(found).toEqual({ 'https://a.test': 'clear' });
});
