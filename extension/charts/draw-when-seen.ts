import { whenIdle } from './when-idle.ts';

/** What is still to be drawn, by the element that it is drawn on. */
const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | null = null;
let idling = false;

/**
 * Has `draw` called once: when the element comes near the window, when the page is printed, or else when the page
 * has nothing better to do. A page of many charts is then ready when those are that can be seen.
 * Until then the element is `aria-busy`.
 */
export function drawWhenSeen(target: Element, draw: () => void): void {
  target.setAttribute('aria-busy', 'true');
  waiting.set(target, draw);
  observer ??= watchTheWindow();
  observer.observe(target);
  drawInIdleTime();
}

/** Draws at once what is still waiting. */
export function drawNow(target: Element): void {
  const draw = waiting.get(target);
  forget(target);
  draw?.();
}

/** For an element that is about to go: it is drawn no more. */
export function forget(target: Element): void {
  waiting.delete(target);
  observer?.unobserve(target);
  target.removeAttribute('aria-busy');
}

function watchTheWindow(): IntersectionObserver {
  addEventListener('beforeprint', () => {
    for (const target of waiting.keys()) if (target.isConnected) drawNow(target);
  });
  return new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) drawNow(target);
    },
    // Scrolling shall find it drawn.
    { rootMargin: '25%' },
  );
}

/** One at a time, so that the page answers in between. */
function drawInIdleTime(): void {
  if (idling) return;
  idling = true;
  whenIdle(() => {
    idling = false;
    const [target] = [...waiting.keys()].filter(({ isConnected }) => isConnected);
    if (!target) return;
    drawNow(target);
    if (waiting.size > 0) drawInIdleTime();
  });
}
