import { browserNames } from '../../../shared/record/names.ts';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { formatBytes } from '../../charts/format.ts';
import { text } from '../../charts/text.ts';
import { facts, section } from './section.ts';

export function environmentSection({ environment, design }: ComparisonRecord): HTMLElement | null {
  const { browser } = environment;
  const name = browserNames[browser.name];
  const [shown, hidden] = browser.own
    ? (['envOwn', 'envOwnHeadless'] as const)
    : (['envHeaded', 'envHeadless'] as const);
  return section(
    text('sectionEnvironment'),
    facts([
      [text('envBrowser'), text(browser.headless ? hidden : shown, name, browser.version)],
      [text('envSystem'), `${environment.os}, ${environment.kernel}, ${environment.architecture}`],
      [
        text('envMachine'),
        text('envCores', environment.cpu, String(environment.cpuCores), formatBytes(environment.memoryBytes)),
      ],
      [text('envTowline'), environment.towlineVersion],
      [text('envSeed'), String(design.seed)],
    ]),
  );
}
