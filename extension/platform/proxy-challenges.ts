import browser, { type WebRequest } from 'webextension-polyfill';

/** A proxy asks who wants to use it. */
export interface ProxyChallenge {
  /** The same each time the browser asks for one request. */
  requestId: string;
  /** The proxy's, as the browser was told them. */
  host: string;
  port: number;
}

/** What is said to the proxy; `cancel` fails the request; null leaves it to the browser, which asks the person. */
export type ChallengeAnswer = { username: string; password: string } | 'cancel' | null;

type Details = WebRequest.OnAuthRequiredDetailsType & { isProxy: boolean };

/** As Chrome has it, where a background that sleeps must answer by a callback. */
interface AuthRequired {
  addListener(
    listener: (details: Details, respond: (response: WebRequest.BlockingResponse) => void) => void,
    filter: WebRequest.RequestFilter,
    extra: ['asyncBlocking'],
  ): void;
}

/** Answers every proxy that asks. Only where the build may: `webRequestAuthProvider`. */
export function answerProxyChallenges(answer: (challenge: ProxyChallenge) => ChallengeAnswer): void {
  const onAuthRequired = browser.webRequest.onAuthRequired as unknown as AuthRequired;
  onAuthRequired.addListener(
    ({ isProxy, requestId, challenger }, respond) => {
      const said = isProxy ? answer({ requestId, ...challenger }) : null;
      if (said === null) respond({});
      else respond(said === 'cancel' ? { cancel: true } : { authCredentials: said });
    },
    { urls: ['https://*/*'] },
    ['asyncBlocking'],
  );
}
