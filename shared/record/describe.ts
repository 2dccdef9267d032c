import { blocksRun } from './blocks-run.ts';
import { describeLab } from './describe-lab.ts';
import { armNames, browserNames, counted, listed, metricNames } from './names.ts';
import { describePath } from './describe-path.ts';
import type { ComparisonRecord } from './record.ts';
import type { Statistics } from './statistics.ts';
import type { StoppingPlan } from './stopping-plan.ts';

/** A record in plain sentences, for terminal and page alike. */
export interface RecordDescription {
  /** The page and the arms: "https://example.org/ over h1, h2 and h3". */
  title: string;
  /** How the run ended, where it did not end well; null when it is complete. */
  incomplete: string | null;
  /** What was done. */
  measured: string[];
  /** The network between browser and servers. */
  path: string[];
  /** What else the result hangs on: it holds for these, and may not for others. */
  dependsOn: string[];
  /** What nobody should read into it. */
  doesNotShow: string[];
}

/** Puts a record into words. Claims nothing about which arm won: the verdicts of its statistics do that. */
export function describe(record: ComparisonRecord): RecordDescription {
  return {
    title: `${record.target.asked} over ${listed(record.design.arms)}`,
    incomplete: incompleteness(record),
    measured: measured(record),
    path: describePath(record.path),
    dependsOn: dependsOn(record),
    doesNotShow: doesNotShow(record),
  };
}

function incompleteness({ outcome, trials, design, error }: ComparisonRecord): string | null {
  if (outcome === 'complete') return null;
  const ended = { running: 'was cut off', cancelled: 'was stopped', failed: 'failed' }[outcome];
  const planned = design.order.flat().length;
  const cause = error === null ? '' : ` ${error.message}`;
  return `The run ${ended} after ${counted(trials.length, 'trial')} (planned: ${planned}).${cause}`;
}

function measured({ design, trials, statistics }: ComparisonRecord): string[] {
  const blocks = counted(design.stopping ? blocksRun(trials) : design.rounds, 'block');
  const repeated = new Set(trials.filter(({ attempt }) => attempt > 0).map(({ block }) => block));
  return [
    `${blocks}: in each, one load per arm (${listed(design.arms)}), in random order ` +
      `(seed ${design.seed})${design.gapMs > 0 ? `, ${design.gapMs / 1000} s apart` : ''}.`,
    ...(design.stopping ? planned(design.stopping, statistics) : []),
    ...(design.warmupBlocks > 0
      ? [`Before them ${counted(design.warmupBlocks, 'warm-up block')}, which does not count.`]
      : []),
    ...(repeated.size > 0
      ? [
          `${counted(repeated.size, 'block')} with a failed load ${repeated.size === 1 ? 'was' : 'were'} ` +
            'repeated; one try of each counts.',
        ]
      : []),
  ];
}

/** The stopping plan, and at what confidence it lets the run be judged. Empty where it allowed no early end. */
function planned({ precisionPercent, looks }: StoppingPlan, { confidence, pairs }: Statistics): string[] {
  const blocks = looks.map((look) => look.blocks);
  const most = blocks.pop();
  if (most === undefined || blocks.length === 0) return [];
  const onWire = pairs.some(({ metric, blocks }) => metric === 'timeOnWireMs' && blocks > 0);
  const figure = onWire ? metricNames.timeOnWireMs.name : metricNames.loadTimeMs.name.toLowerCase();
  return [
    `Planned before the first load: ${most} blocks at most, fewer if at a look, after ${listed(blocks.map(String))}, ` +
      `every interval of ${figure} is ± ${precisionPercent} % or narrower.`,
    `Intervals are of ${Number((confidence * 100).toFixed(1))} % confidence, so that all these looks together ` +
      'err no more often than one of 95 %.',
  ];
}

const ownProfile =
  'Its own profile: with its cookies and extensions, and what these keep a page from loading left out; other tabs ' +
  'may have been busy beside it. Loads in browsers made for measuring are not to be mixed with these.';

function dependsOn({ environment, target, createdAt, design, http3 }: ComparisonRecord): string[] {
  const { browser, os } = environment;
  const name = browserNames[browser.name];
  return [
    `${browser.own ? "The person's own " : ''}${name} ${browser.version}${browser.headless ? ' without a window' : ''}, on ${os}.`,
    ...(browser.own ? [ownProfile] : []),
    `One page on one network path, at one time: ${createdAt.slice(0, 16).replace('T', ' ')} UTC.`,
    ...(target.lab ? describeLab(target.lab, design.arms.includes('h3')) : []),
    browser.own
      ? 'Cold loads: before each, connections were closed, and caches, names, TLS sessions and Alt-Svc forgotten.'
      : 'Cold loads: nothing cached, no connection open, no earlier visit remembered.',
    ...(design.arms.includes('h3')
      ? [`${armNames.h3} is used from the first packet. ${http3?.detail ?? ''}`.trimEnd()]
      : []),
  ];
}

function doesNotShow({ design, target, trials }: ComparisonRecord): string[] {
  const valid = trials.filter(({ verdict, warmup }) => verdict.valid && !warmup);
  const wireless = valid.filter(({ wire }) => (wire?.timeOnWireMs.value ?? null) === null);
  const [first] = wireless;
  const why = first?.wireMissing ?? first?.wire?.timeOnWireMs.missing ?? 'no packets were captured';
  return [
    'Repeat visits, where caches and open connections help.',
    ...(target.lab
      ? ['Any real site: this page and its server are made for measuring.']
      : ['Other pages of this site, other networks, other hours.']),
    ...(design.arms.includes('h3') && !design.arms.includes('auto')
      ? ['Which protocol the browser would have chosen: the arm "auto" does.']
      : []),
    ...(first ? [`Time on Wire of ${counted(wireless.length, 'trial')}: ${why.replace(/\.$/, '')}.`] : []),
  ];
}
