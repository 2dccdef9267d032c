/**
 * Who may speak to the native host. The Chrome id follows from the public `key` pinned in
 * extension/manifest.mjs (the first 16 bytes of its SHA-256, as letters a to p), so it is the same in every
 * checkout and in the store: native-messaging manifests take no wildcard.
 */
export const chromeExtensionId = 'jaeogdhlmoaodnlammenjajddhhaemfd';

/** `browser_specific_settings.gecko.id` of the Firefox build. */
export const firefoxExtensionId = 'towline@towline.org';
