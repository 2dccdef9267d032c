import { expect, test } from 'vitest';
import { doctorReportText } from '../../../../native-host/commands/doctor-report-text.ts';
import type { Checkup } from '../../../../shared/messages/doctor-report.ts';

const node: Checkup = {
  id: 'node',
  section: 'measuring',
  title: 'Node',
  state: 'ok',
  found: '22.1.0',
  purpose: 'runs Towline',
  required: true,
  remedy: null,
};
const chromium: Checkup = {
  id: 'browser',
  section: 'browsers',
  title: 'Chromium',
  state: 'missing',
  found: 'none',
  purpose: 'loads the pages',
  required: true,
  remedy: 'sudo apt-get install chromium',
};

test('what is missing stands with its purpose and its cure', () => {
  const report = { towlineVersion: '0.1.0', ready: false, checkups: [node, chromium], cleaned: null };
  expect(doctorReportText(report, false)).toBe(
    [
      'Measuring',
      '  ok       Node      22.1.0',
      '',
      'Browsers',
      '  missing  Chromium  none',
      '                     It loads the pages.',
      '                     sudo apt-get install chromium',
      '',
      'towline compare needs Chromium.',
    ].join('\n'),
  );
});

test('colours are used only where they are wanted', () => {
  const report = { towlineVersion: '0.1.0', ready: true, checkups: [node], cleaned: ['Removed the run a.'] };
  expect(doctorReportText(report, false)).not.toContain('\u001b');
  expect(doctorReportText(report, true)).toContain('\u001b[32mok');
  expect(doctorReportText(report, false)).toContain('Cleaned\n  Removed the run a.\n\nAll is well.');
});
