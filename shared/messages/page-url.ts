import * as v from 'valibot';

/** A page that may be asked for across the native port: http or https, nothing else. */
export const PageUrlSchema = v.pipe(
  v.string(),
  v.maxLength(8192),
  v.url(),
  v.check((url) => /^https?:\/\//i.test(url), 'Only http and https pages can be compared.'),
);
