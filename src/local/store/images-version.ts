import { imagesHeader } from '#contract/shapes/responses.ts'

const listeners = new Set<(state: string) => void>()

/** Passes the version of the session's images that a response names to the listeners. Cached responses name none. */
export const notifyImagesVersion = (headers: Headers): void => {
  const version = headers.get(imagesHeader)
  if (version !== null) for (const listener of listeners) listener(version)
}

/** Calls the listener with the version that each response names. */
export const onImagesVersion = (listener: (state: string) => void): void => void listeners.add(listener)
