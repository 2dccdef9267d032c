import { expect, it } from 'vitest';
import { hashOf, parseRoute, type Route } from '../../../../extension/options/route.ts';

it.each<Route>([
  { page: 'overview' },
  { page: 'settings' },
  { page: 'comparison', id: 'a/b c#%' },
  { page: 'trial', id: '00000000-0000', index: 14 },
  { page: 'versus', first: 'a/b', second: 'c d' },
])('finds back to %j', (route) => {
  expect(parseRoute(hashOf(route))).toEqual(route);
});

it.each(['', '#', '#/nowhere', '#/comparison', '#/comparison/', '#/versus/one'])(
  'takes %j for the overview',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'overview' });
  },
);

it('survives an address that was cut or mistyped', () => {
  expect(parseRoute('#/comparison/%E0%A4%A')).toEqual({ page: 'comparison', id: '%E0%A4%A' });
  expect(parseRoute('#/comparison/x/load/one')).toEqual({ page: 'comparison', id: 'x' });
});
