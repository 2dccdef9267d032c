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
  /** Scheme, host and port. */
  readonly prePath: string;
  readonly host: string;
  /** -1 for the scheme's own. */
  readonly port: number;
}

interface HttpChannel {
  readonly channelId: number;
  readonly URI: Uri;
  /** 0 while nothing has gone wrong. */
  readonly status: number;
  readonly protocolVersion: string;
  readonly responseStatus: number;
  readonly transferSize: number;
  readonly encodedBodySize: number;
  readonly isMainDocumentChannel: boolean;
  readonly loadInfo: {
    readonly isTopLevelLoad: boolean;
    /** One of nsIContentPolicy. */
    readonly externalContentPolicyType: number;
    readonly internalContentPolicyType: number;
    /** Other than 0 when the browser or an extension kept the request from being sent. */
    readonly requestBlockingReason: number;
    /** Where the response goes to: the frame's for a frame's document, else the page's. */
    readonly targetBrowsingContext: BrowsingContext | null;
    readonly workerAssociatedBrowsingContext?: BrowsingContext | null;
  };
  /** Throws when the response has no such field. */
  getResponseHeader(name: string): string;
}

/** nsITimedChannel: microseconds since 1970; 0 for what was not reached. */
type ChannelTimes = Readonly<
  Record<
    | 'asyncOpenTime'
    | 'domainLookupStartTime'
    | 'domainLookupEndTime'
    | 'connectStartTime'
    | 'secureConnectionStartTime'
    | 'connectEndTime'
    | 'requestStartTime'
    | 'responseStartTime'
    | 'responseEndTime',
    number
  >
>;

/** nsIHttpChannelInternal. Both throw while there is no connection. */
interface ChannelEnds {
  readonly remoteAddress: string;
  readonly localPort: number;
}

interface Channel {
  QueryInterface(kind: typeof Ci.nsIHttpChannel): HttpChannel;
  QueryInterface(kind: typeof Ci.nsITimedChannel): ChannelTimes;
  QueryInterface(kind: typeof Ci.nsIHttpChannelInternal): ChannelEnds;
}

type Observe = (subject: Channel, topic: string) => void;

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
  readonly webProgress: { readonly isLoadingDocument: boolean };
  fixupAndLoadURIString(address: string, options: { triggeringPrincipal: unknown; loadFlags: number }): void;
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
  appinfo: { readonly version: string };
  scriptSecurityManager: { getSystemPrincipal(): unknown };
  dns: { clearCache(trrToo: boolean): void };
  clearData: {
    deleteData(flags: number, callback: { onDataDeleted(failed: number): void }): void;
  };
};

declare const Cc: Record<string, { getService(kind: unknown): unknown }>;
declare const Ci: {
  readonly nsIObserver: unknown;
  readonly nsIGfxInfo: unknown;
  readonly nsIHttpChannel: { readonly name: 'nsIHttpChannel' };
  readonly nsITimedChannel: { readonly name: 'nsITimedChannel' };
  readonly nsIHttpChannelInternal: { readonly name: 'nsIHttpChannelInternal' };
  readonly nsIContentPolicy: Record<ContentPolicyType, number>;
  readonly nsIClearDataService: Record<
    | 'CLEAR_NETWORK_CACHE'
    | 'CLEAR_IMAGE_CACHE'
    | 'CLEAR_CSS_CACHE'
    | 'CLEAR_JS_CACHE'
    | 'CLEAR_PREFLIGHT_CACHE'
    | 'CLEAR_TLS_TOKEN_CACHE',
    number
  >;
  readonly nsIWebNavigation: Record<'LOAD_FLAGS_NONE' | 'LOAD_FLAGS_BYPASS_HISTORY', number>;
  readonly nsIWebProgress: Record<'NOTIFY_STATE_WINDOW', number>;
  readonly nsIWebProgressListener: Record<'STATE_START' | 'STATE_STOP', number>;
};
type ContentPolicyType =
  | 'TYPE_DOCUMENT'
  | 'TYPE_SUBDOCUMENT'
  | 'TYPE_SCRIPT'
  | 'TYPE_STYLESHEET'
  | 'TYPE_IMAGE'
  | 'TYPE_IMAGESET'
  | 'TYPE_INTERNAL_IMAGE_FAVICON'
  | 'TYPE_FONT'
  | 'TYPE_MEDIA'
  | 'TYPE_XMLHTTPREQUEST'
  | 'TYPE_FETCH'
  | 'TYPE_PING'
  | 'TYPE_BEACON';
declare const ChromeUtils: {
  generateQI(interfaces: readonly string[]): unknown;
  importESModule(url: 'resource://gre/modules/Timer.sys.mjs'): {
    setTimeout: (callback: () => void, ms: number) => number;
    clearTimeout: (id: number) => void;
  };
  getXPCOMErrorName(status: number): string;
};
/** A page of the extension's that calls. */
interface CallerContext {
  /** Calls back as the page goes away. */
  callOnClose(closing: { close(): void }): void;
}
declare class ExtensionAPI {
  readonly extension: {
    readonly tabManager: {
      get(tabId: number): { nativeTab: NativeTab };
      /** Lets the extension read the document that is in this tab now, until another is loaded. */
      addActiveTabPermission(tab: NativeTab): void;
    };
  };
}
