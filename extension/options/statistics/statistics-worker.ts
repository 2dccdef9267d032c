/** Reckons away from the page, which stays quick meanwhile: one job after another. */
import * as v from 'valibot';
import { reportOf } from '../../../shared/errors/towline-error.ts';
import { changesBetween } from '../../../shared/stats/changes.ts';
import { summarise } from '../../../shared/stats/summarise.ts';
import { StatisticsJobSchema, type StatisticsAnswer, type StatisticsTask } from './statistics-jobs.ts';

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const { id, task } = v.parse(StatisticsJobSchema, data);
  postMessage({ id, answer: answerTo(task) } satisfies StatisticsAnswer);
});

function answerTo(task: StatisticsTask): StatisticsAnswer['answer'] {
  try {
    return { kind: 'figures', figures: figuresOf(task) };
  } catch (thrown) {
    return { kind: 'failed', message: reportOf(thrown, 'record').message };
  }
}

function figuresOf(task: StatisticsTask): unknown {
  switch (task.kind) {
    case 'summarise': {
      const { trials, design, statistics } = task.record;
      return summarise(trials, design, statistics);
    }
    case 'changes':
      return changesBetween(task.arms, task.first, task.second, task);
  }
}
