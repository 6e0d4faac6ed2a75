// Requests of which only the last one counts.

import { isAbort } from "./api.js";

export class Latest {
  /** @type {AbortController | null} */ #controller = null;

  /**
   * Gives up the request before, and makes another.
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} ask
   * @param {(answer: T) => void} show
   * @param {(error: any) => void} fail
   */
  async ask(ask, show, fail) {
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    try {
      const answer = await ask(controller.signal);
      if (!controller.signal.aborted) show(answer);
    } catch (error) {
      if (!isAbort(error) && !controller.signal.aborted) fail(error);
    }
  }

  stop() {
    this.#controller?.abort();
  }
}
