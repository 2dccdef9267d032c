/** Of Firefox's own interfaces, what the Experiment uses. Source: Firefox ESR 153, `*.idl` and ExtensionCommon. */

interface PreferenceBranch {
  getPrefType(name: string): number;
  prefHasUserValue(name: string): boolean;
  prefIsLocked(name: string): boolean;
  getBoolPref(name: string): boolean;
  getIntPref(name: string): number;
  getStringPref(name: string): string;
  setBoolPref(name: string, value: boolean): void;
  setIntPref(name: string, value: number): void;
  setStringPref(name: string, value: string): void;
}

interface BrowsingContext {
  readonly browserId: number;
}

/** nsIURI. */
interface Uri {
  readonly spec: string;
  readonly host: string;
  /** -1 for the scheme's own. */
  readonly port: number;
}

interface HttpChannel {
  readonly URI: Uri;
  readonly protocolVersion: string;
  readonly isMainDocumentChannel: boolean;
  readonly loadInfo: {
    readonly isTopLevelLoad: boolean;
    /** Where the response goes to: the frame's for a frame's document, else the page's. */
    readonly targetBrowsingContext: BrowsingContext | null;
    readonly workerAssociatedBrowsingContext?: BrowsingContext | null;
  };
  /** Throws when the response has no such field. */
  getResponseHeader(name: string): string;
}

type Observe = (subject: { QueryInterface(kind: unknown): HttpChannel }, topic: string) => void;

interface WebProgress {
  readonly isTopLevel: boolean;
}

interface ProgressListener {
  QueryInterface: unknown;
  onStateChange(progress: WebProgress, request: unknown, flags: number, status: number): void;
}

interface TabBrowser {
  readonly browserId: number;
  readonly currentURI: Uri;
  reloadWithFlags(flags: number): void;
  addProgressListener(listener: ProgressListener, mask: number): void;
  removeProgressListener(listener: ProgressListener): void;
}

interface Listening {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The element of a tab. */
interface NativeTab extends Listening {
  readonly linkedBrowser: TabBrowser;
  readonly ownerDocument: { readonly defaultView: Listening };
}

declare const Services: {
  prefs: PreferenceBranch & {
    readonly PREF_BOOL: number;
    readonly PREF_INT: number;
    readonly PREF_INVALID: number;
    getDefaultBranch(root: string): PreferenceBranch;
  };
  obs: {
    addObserver(observer: Observe, topic: string): void;
    removeObserver(observer: Observe, topic: string): void;
  };
  dns: { clearCache(trrToo: boolean): void };
  clearData: {
    deleteData(flags: number, callback: { onDataDeleted(failed: number): void }): void;
  };
};

declare const Cc: Record<string, { getService(kind: unknown): unknown }>;
declare const Ci: {
  readonly nsIObserver: unknown;
  readonly nsIHttpChannel: unknown;
  readonly nsIClearDataService: Record<
    | 'CLEAR_NETWORK_CACHE'
    | 'CLEAR_IMAGE_CACHE'
    | 'CLEAR_CSS_CACHE'
    | 'CLEAR_JS_CACHE'
    | 'CLEAR_PREFLIGHT_CACHE'
    | 'CLEAR_TLS_TOKEN_CACHE',
    number
  >;
  readonly nsIWebNavigation: Record<'LOAD_FLAGS_NONE', number>;
  readonly nsIWebProgress: Record<'NOTIFY_STATE_WINDOW', number>;
  readonly nsIWebProgressListener: Record<'STATE_START' | 'STATE_STOP', number>;
};
declare const ChromeUtils: {
  generateQI(interfaces: readonly string[]): unknown;
  importESModule(url: 'resource://gre/modules/Timer.sys.mjs'): {
    setTimeout: (callback: () => void, ms: number) => number;
    clearTimeout: (id: number) => void;
  };
  getXPCOMErrorName(status: number): string;
};
declare class ExtensionAPI {
  readonly extension: {
    readonly tabManager: { get(tabId: number): { nativeTab: NativeTab } };
  };
}
