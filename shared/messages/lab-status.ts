import * as v from 'valibot';

/** A lab that runs, or is about to: one comparison's, or one that `lab serve` keeps up. */
export const RunningLabSchema = v.object({
  /** What `lab down` takes. */
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)),
  /** `comparison`: on a network of its own, which nothing else reaches; `served`: on this machine's loopback. */
  kind: v.picklist(['comparison', 'served']),
  /** The page compared, or the list of those served. */
  url: v.string(),
  /** The servers, the document's first. */
  servers: v.array(v.object({ name: v.string(), port: v.number(), addresses: v.array(v.string()) })),
  /** The process whose end ends it. */
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Name of the user it belongs to; the number where there is no name. */
  user: v.string(),
  /** ISO 8601. */
  startedAt: v.string(),
});
export type RunningLab = v.InferOutput<typeof RunningLabSchema>;

/** What `towline lab status --json` prints: the labs of the user who asks, oldest first. */
export const LabStatusSchema = v.object({ labs: v.array(RunningLabSchema) });
export type LabStatus = v.InferOutput<typeof LabStatusSchema>;

/** What `towline lab down --json` prints. */
export const LabDownSchema = v.object({
  down: v.array(RunningLabSchema),
  /** Still there: they did not end, not even when killed. */
  left: v.array(RunningLabSchema),
});
export type LabDown = v.InferOutput<typeof LabDownSchema>;
