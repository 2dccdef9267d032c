/** The results pages as a site on disk: the same pages, over the records that records.js put in place. */
import * as v from 'valibot';
import { readRecord } from '../../shared/record/read-record.ts';
import { summaryOf, type StoredComparison } from '../../shared/record/comparison-summary.ts';
import { hashOf, parseRoute } from '../options/route.ts';
import { Site } from '../options/site.ts';
import { OffPageStatistics } from '../options/statistics/off-page-statistics.ts';

/** What `towline report` writes: each record's JSON text, so that reading it is checked like any file. */
const ReportDataSchema = v.object({ records: v.array(v.object({ name: v.string(), text: v.string() })) });

/** The script of the statistics worker, put in place by extension/build.mjs. */
declare const statisticsWorkerText: string;

const data = v.parse(ReportDataSchema, (globalThis as { towlineReport?: unknown }).towlineReport);
const records = new Map(
  data.records.map(({ name, text }) => {
    const record = readRecord(text, name);
    return [record.id, record] as const;
  }),
);

const site = new Site(document.body, {
  source: {
    list: (asked) =>
      Promise.resolve(
        [...records.values()]
          .filter(({ target }) => asked === undefined || target.asked === asked)
          .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
          .map((record): StoredComparison => ({ id: record.id, summary: summaryOf(record) })),
      ),
    get: (id) => Promise.resolve(records.get(id) ?? null),
  },
  editing: null,
  settingsPage: null,
  statistics: new OffPageStatistics(
    () => new Worker(URL.createObjectURL(new Blob([statisticsWorkerText], { type: 'text/javascript' }))),
  ),
  recorderPage: null,
});

// A report of one comparison opens on it.
const [only] = records.keys();
if (records.size === 1 && only !== undefined && parseRoute(location.hash).page === 'overview') {
  history.replaceState(null, '', hashOf({ page: 'comparison', id: only }));
}
void site.draw();
