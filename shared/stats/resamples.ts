/** Resamples of every bootstrap that an answer, or the end of a run, rests on: ends wobble by about 1 % of the width. */
export const finalResamples = 10_000;
