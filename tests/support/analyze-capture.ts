import { readFileSync } from 'node:fs';
import type { Wire } from '../../shared/record/wire.ts';
import { CaptureReader } from '../../native-host/wire/capture-file/capture-reader.ts';
import { WireAnalyzer } from '../../native-host/wire/analyzer.ts';
import type { PageDescription } from '../../native-host/wire/page.ts';

const wholeFile: PageDescription = { requests: null, hosts: null };

/** The figures of a capture file's one page load. @param keyLogFile null to read it without keys */
export function analyzeCapture(
  pcapFile: string,
  keyLogFile: string | null,
  page: PageDescription = wholeFile,
): Wire {
  const analyzer = new WireAnalyzer({ linkType: 1 });
  if (keyLogFile !== null) analyzer.addKeyLog(readFileSync(keyLogFile, 'latin1'));
  const reader = new CaptureReader({
    onFrame: (...frame) => {
      analyzer.push(...frame);
    },
    onKeyLog: (text) => {
      analyzer.addKeyLog(text);
    },
  });
  reader.push(readFileSync(pcapFile));
  reader.end();
  if (reader.problem !== null) throw new Error(`${pcapFile}: ${reader.problem}`);
  return analyzer.finish(page);
}
