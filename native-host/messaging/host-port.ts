import * as v from 'valibot';
import { TowlineError, reportOf, type ErrorReport } from '../../shared/errors/towline-error.ts';
import {
  HostRequestSchema,
  protocolVersion,
  recordChunkChars,
  type HostMessage,
  type HostRequest,
} from '../../shared/messages/host-protocol.ts';
import { maxRequestBytes, type Frame } from './frame-codec.ts';
import type { HostRelay } from './host-relay.ts';
import type { HostRuns } from './host-runs.ts';
import type { HostWatch, TimeOnWireRequest } from './host-watch.ts';
import type { HostWindows } from './host-windows.ts';
import { splitRecord } from './split-record.ts';

export interface HostPortOptions {
  runs: HostRuns;
  windows: HostWindows;
  relay: HostRelay;
  watch: HostWatch;
  hostVersion: string;
  /** Resolves when the browser has taken the message. */
  send: (message: HostMessage) => Promise<void>;
  /** One line for the host's log. Holds no page address. */
  log: (line: string) => void;
}

/** As much of a message as must be readable to answer it, whatever else is wrong with it. */
const AnswerableSchema = v.object({ requestId: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)) });

/** Asked at every page load: when a person loads pages is nothing to write down. */
const ofPageLoads: ReadonlySet<HostRequest['type']> = new Set(['watch', 'time-on-wire']);

/** A greeting of any version: the rest of it may have changed. */
const GreetingSchema = v.object({ type: v.literal('hello'), protocolVersion: v.number() });

/**
 * The host's side of the conversation that PROTOCOL.md describes. It takes what the browser sends as unknown
 * bytes, answers every request, refuses everything else with an error, and never throws for it.
 */
export class HostPort {
  readonly #options: HostPortOptions;
  #greeted = false;

  constructor(options: HostPortOptions) {
    this.#options = options;
  }

  /**
   * Handles one frame. Frames are to be given one after the other, each when the one before it is done.
   *
   * @throws only what `send` throws: without a way to answer there is nothing left to do
   */
  async receive(frame: Frame): Promise<void> {
    let requestId: string | null = null;
    let isLogged = true;
    try {
      const message = parse(frame);
      requestId = requestIdOf(message);
      this.#checkGreeting(message);
      const request = validated(message);
      isLogged = !ofPageLoads.has(request.type);
      if (isLogged) this.#options.log(request.type);
      await this.#handle(request);
    } catch (error) {
      await this.#refuse(requestId, error, isLogged);
    }
  }

  #checkGreeting(message: unknown): void {
    const greeting = v.safeParse(GreetingSchema, message);
    if (!greeting.success) {
      if (this.#greeted) return;
      throw badMessage('The first message must be "hello".');
    }
    const theirs = greeting.output.protocolVersion;
    if (theirs === protocolVersion) return;
    const extensionIsOlder = theirs < protocolVersion;
    throw new TowlineError(
      'version-mismatch',
      'messaging',
      `The extension speaks version ${theirs} of the protocol, Towline on this machine version ${protocolVersion}.`,
      { remedy: extensionIsOlder ? 'Update the extension.' : 'Update Towline on this machine.' },
    );
  }

  async #handle(request: HostRequest): Promise<void> {
    const { runs, windows, relay, watch, send, hostVersion } = this.#options;
    const { requestId } = request;
    switch (request.type) {
      case 'hello':
        this.#greeted = true;
        await send({ type: 'hello', requestId, protocolVersion, hostVersion });
        await runs.watch();
        return;
      case 'compare':
        await send({ type: 'accepted', requestId, run: await runs.start(request) });
        await runs.watch();
        return;
      case 'status':
        await send({ type: 'runs', requestId, runs: await runs.list() });
        return;
      case 'cancel':
        await runs.cancel(request.runId);
        await send({ type: 'done', requestId });
        return;
      case 'open-window':
        await windows.open(request);
        await send({ type: 'done', requestId });
        return;
      case 'fetch-record':
        await this.#sendRecord(requestId, request.runId);
        return;
      case 'own-answer':
        await runs.answerOwnCall(request.runId, request.callId, request.answer);
        await send({ type: 'done', requestId });
        return;
      case 'release':
        await runs.release(request.runId);
        await send({ type: 'done', requestId });
        return;
      case 'start-relay':
        await send({ type: 'relay', requestId, ...(await relay.start(request)) });
        return;
      case 'stop-relay':
        await relay.stop();
        await send({ type: 'done', requestId });
        return;
      case 'watch':
        await send({ type: 'watching', requestId, interface: await watch.start(request.ports) });
        return;
      case 'unwatch':
        await watch.stop();
        await send({ type: 'done', requestId });
        return;
      case 'time-on-wire':
        // Not waited for: it takes as long as the page's servers go on, and others have questions too.
        void this.#tellTime(request);
    }
  }

  async #tellTime(request: TimeOnWireRequest): Promise<void> {
    const { watch, send } = this.#options;
    const { requestId } = request;
    try {
      await send({ type: 'time-on-wire', requestId, ...(await watch.timeOf(request)) });
    } catch (error) {
      // A port that closed meanwhile has nobody to be told.
      await this.#refuse(requestId, error, false).catch(() => undefined);
    }
  }

  async #sendRecord(requestId: string, runId: string): Promise<void> {
    const pieces = splitRecord(await this.#options.runs.recordText(runId), recordChunkChars);
    for (const [index, text] of pieces.entries()) {
      await this.#options.send({
        type: 'record-chunk',
        requestId,
        runId,
        index,
        total: pieces.length,
        text,
      });
    }
  }

  async #refuse(requestId: string | null, error: unknown, isLogged: boolean): Promise<void> {
    const report: ErrorReport = reportOf(error, 'messaging');
    if (isLogged)
      this.#options.log(`refused: ${report.code}${report.code === 'internal' ? ` ${report.message}` : ''}`);
    await this.#options.send({ type: 'error', requestId, error: report });
  }
}

function parse(frame: Frame): unknown {
  if (frame.kind === 'too-large') {
    throw new TowlineError(
      'message-too-large',
      'messaging',
      `A message of ${frame.bytes} bytes was left out; ${maxRequestBytes} are accepted.`,
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(frame.body));
  } catch {
    throw badMessage(`A message of ${frame.body.length} bytes is not JSON.`);
  }
}

function requestIdOf(message: unknown): string | null {
  const answerable = v.safeParse(AnswerableSchema, message);
  return answerable.success ? answerable.output.requestId : null;
}

function validated(message: unknown): HostRequest {
  const request = v.safeParse(HostRequestSchema, message);
  if (request.success) return request.output;
  const [issue] = request.issues;
  const where = v.getDotPath(issue);
  if (where === 'url') {
    throw new TowlineError('bad-url', 'messaging', 'This page cannot be compared.', {
      remedy: 'Only pages with an http or https address can be compared.',
    });
  }
  throw badMessage(
    `A message is not as agreed${where === null ? '' : `, at "${where}"`}: ${issue.message.slice(0, 200)}`,
  );
}

function badMessage(text: string): TowlineError {
  return new TowlineError('bad-message', 'messaging', text, {
    remedy: 'See that the extension and Towline on this machine are of the same version.',
  });
}
